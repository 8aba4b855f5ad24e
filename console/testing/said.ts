import type { Listed } from "@/presentation/views/common";
import type { MeasureName, MetricsView } from "@/presentation/views/metrics";
import type { OverviewView } from "@/presentation/views/overview";
import type { NumberPages } from "./number-pages";

/** What a page says of something, by its name; of a number that stands alone the name is empty. */
export type Said = readonly (readonly [what: string, value: number | null | undefined])[];

/** A number that stands on several pages, and where on each. */
export interface SharedNumber {
  readonly name: string;
  /** The one read of it. */
  readonly read: `${string}.ts ${string}`;
  /** The same from the rows: `what` and `value`, of the tenant $1. What has no row is 0. */
  readonly oracle: string;
  /** Pages say it only of what they list. */
  readonly pages: { readonly [Page in keyof NumberPages]?: (view: NumberPages[Page]) => Said };
}

export const one = (...values: readonly (number | null | undefined)[]): Said => values.map((value) => ["", value]);
export const listedRows = <Row>(list: Listed<Row>): readonly Row[] => (list.kind === "page" ? list.rows : []);
export const waits = ({ waiting }: OverviewView, name: string) => waiting.find((row) => row.name === name)?.open;
export const chartLine = ({ charts }: MetricsView, name: MeasureName) =>
  charts.find((chart) => chart.name === name)?.series ?? [];
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const withoutGaps = <Value>(values: readonly (Value | undefined)[]): readonly Value[] =>
  values.flatMap((value) => (value === undefined ? [] : [value]));
export const COUNTS = "db/metrics/counts.ts selectOpenCounts" as const;
