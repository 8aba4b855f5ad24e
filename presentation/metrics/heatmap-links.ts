import type { AnswerOutcome } from "@/domain/idempotency/states";
import { NO_CLIENT_NAME } from "@/domain/lists/filters";
import type { HeatMeasure } from "@/domain/metrics/heatmap";
import { buildSearch } from "../filters/search";
import { withoutMilliseconds } from "./measure-links";

/** What an operation must have been answered with to be counted in a cell; lists of operations have the same filters. */
export interface CellFilters {
  readonly answered?: AnswerOutcome | undefined;
  readonly reused?: "too_fast" | undefined;
  readonly answeredTo: string;
  readonly from: string;
  readonly to: string;
}

/** @param client by its name; empty: requests that named none. @param time RFC 3339, half open */
export function cellFilters(
  measure: HeatMeasure,
  client: string,
  { from, to }: { readonly from: string; readonly to: string },
): CellFilters {
  const time = {
    answeredTo: client === "" ? NO_CLIENT_NAME : client,
    from: withoutMilliseconds(from),
    to: withoutMilliseconds(to),
  };
  return measure === "reused" ? { reused: "too_fast", ...time } : { answered: measure, ...time };
}

/** The list of exactly the operations of a cell. */
export function cellListHref(filters: CellFilters): string {
  return `/operations${buildSearch({ ...filters })}`;
}
