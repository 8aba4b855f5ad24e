import type { Span } from "@/domain/metrics/risk";
import { formatCount, formatDuration } from "../format/display-time";
import { MEASURE_FACTS } from "../metrics/measure-facts";
import { listHref, withoutMilliseconds } from "../metrics/measure-links";
import type { MeasureName } from "../views/metrics";
import type { ChangeRow } from "../views/risk";
import { type Begun, begunWords, largest, peakWords, shareWords, slowestWords } from "./source-claims";

/** What is compared, in the order of equal distances. A roll-up names an outcome, `first_answer` or a gauge; the factor gives ms. */
export const COMPARED = [
  { name: "unknown", read: "unknown_entered", kind: "count" },
  { name: "in_progress", read: "in_progress", kind: "count" },
  { name: "conflict", read: "conflict", kind: "count" },
  { name: "expired_retry", read: "expired_retry", kind: "count" },
  { name: "replayed", read: "replayed", kind: "count" },
  { name: "executed", read: "executed", kind: "count" },
  { name: "first_answer", read: "first_answer", kind: "ms" },
  { name: "oldest_outbox", read: "outbox_oldest_seconds", kind: "gauge_ms", factor: 1_000 },
  { name: "oldest_inbox", read: "inbox_oldest_seconds", kind: "gauge_ms", factor: 1_000 },
  { name: "oldest_in_progress", read: "oldest_in_progress_seconds", kind: "gauge_ms", factor: 1_000 },
  { name: "dead_letters", read: "dead_letters", kind: "gauge" },
] as const satisfies readonly {
  name: MeasureName;
  read: string;
  kind: "count" | "ms" | "gauge" | "gauge_ms";
  factor?: number;
}[];
export const COMPARED_GAUGES: readonly string[] = COMPARED.flatMap(({ kind, read }) =>
  kind === "gauge" || kind === "gauge_ms" ? [read] : [],
);

type Compared = (typeof COMPARED)[number];

export interface DayValue {
  /** Days before the window; 0: the window itself. */
  readonly day: number;
  readonly name: string;
  readonly value: number;
}

export interface Difference {
  readonly measure: Compared;
  readonly value: number;
  /** Median of the days. */
  readonly usual: number;
  /** How often the usual spread lies between both; 0: as usual. */
  readonly distance: number;
}

/** From here on a measure is away from its usual. */
export const AWAY = 3;
/** Rows that are shown. */
export const SHOWN_CHANGES = 3;
/** A median deviation times this is the standard deviation of what is normally distributed. */
const DEVIATION = 1.4826;
/** Least spread of a duration: a share of its usual, and ms. */
const LEAST_SHARE = 0.25;
const LEAST_MS = 100;
/** Ages of queues are sampled: seconds say nothing. */
const LEAST_AGE_MS = 10_000;

/**
 * Each measure beside its usual, the farthest first. A count that has no row was 0; a duration or gauge without one was not measured
 * and is left out, as is one that was measured on no earlier day.
 */
export function differences(values: readonly DayValue[], days: readonly number[]): readonly Difference[] {
  const found = COMPARED.flatMap((measure): Difference[] => {
    const factor = "factor" in measure ? measure.factor : 1;
    const on = (day: number): number | undefined => {
      const row = values.find((each) => each.day === day && each.name === measure.read);
      return row === undefined ? (measure.kind === "count" ? 0 : undefined) : row.value * factor;
    };
    const value = on(0);
    const earlier = days.map(on).filter((each) => each !== undefined);
    if (value === undefined || earlier.length === 0) return [];
    const usual = median(earlier);
    return [{ measure, value, usual, distance: Math.abs(value - usual) / spread(measure, usual, earlier) }];
  });
  return found.sort((a, b) => b.distance - a.distance);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

function spread({ kind }: Compared, usual: number, earlier: readonly number[]): number {
  const deviation = DEVIATION * median(earlier.map((each) => Math.abs(each - usual)));
  // Rare things come by chance: their counts differ by about the root.
  if (kind === "count" || kind === "gauge") return Math.max(deviation, Math.sqrt(usual + 1));
  return Math.max(deviation, LEAST_SHARE * usual, kind === "ms" ? LEAST_MS : LEAST_AGE_MS);
}

export function valueText({ kind }: Compared, value: number): string {
  return kind === "count" || kind === "gauge" ? formatCount(value) : formatDuration(value);
}

/** What is known of where a measure of the window comes from. */
export interface Sources {
  readonly answers: readonly {
    readonly outcome: string;
    readonly operation: string;
    readonly client: string;
    readonly count: number;
    readonly p95?: number | undefined;
    readonly slowest: string;
  }[];
  /** Doubts that began in the window. */
  readonly begun: Begun;
  /** Operations that became unknown in the window; one may have done so more than once. */
  readonly becameUnknown: number;
  /** When each gauge was highest. */
  readonly peaks: readonly { readonly name: string; readonly at: string }[];
}

/** Where one measure comes from, with the client that all of it is from, for the link. */
export function sourceOf(
  { measure, value }: Difference,
  sources: Sources,
): { readonly words: string; readonly client?: string | undefined } {
  if (value === 0) return { words: "" };
  if (measure.name === "unknown") return { words: begunWords({ begun: sources.begun, value }, sources.becameUnknown) };
  if (measure.name === "first_answer")
    return {
      words: slowestWords(
        sources.answers.flatMap(({ outcome, operation, p95, slowest }) =>
          outcome === "executed" && p95 !== undefined ? [{ operation, p95, slowest }] : [],
        ),
      ),
    };
  if (measure.kind !== "count")
    return { words: peakWords(sources.peaks.find(({ name }) => name === measure.read)?.at) };
  const rows = sources.answers.filter(({ outcome }) => outcome === measure.read);
  const client = largest(rows, (row) => row.client, value);
  const operation = largest(rows, (row) => row.operation, value);
  if (client === undefined || operation === undefined) return { words: "" };
  const all = client.count === client.all && client.name !== "";
  return { words: shareWords(client, operation), client: all ? client.name : undefined };
}

/** The page of each measure for a link to what cannot be listed. */
const metricsHref = (window: Span, name: string): string =>
  `/metrics?from=${encodeURIComponent(withoutMilliseconds(window.from))}&to=${encodeURIComponent(withoutMilliseconds(window.to))}#${name}`;

export function changeRow(difference: Difference, sources: Sources, window: Span): ChangeRow {
  const { measure, value, usual } = difference;
  const { words, client } = sourceOf(difference, sources);
  const facts = MEASURE_FACTS[measure.name];
  const counted = measure.kind === "count";
  const group = client === undefined ? undefined : ({ by: "client", name: client } as const);
  const { list } = facts;
  return {
    name: measure.name,
    label: facts.title,
    value: valueText(measure, value),
    usual: valueText(measure, usual),
    from: words,
    href: counted ? listHref(list, window, group) : metricsHref(window, chartOf(measure.name)),
    open: counted ? (measure.name === "conflict" ? "conflicts" : "operations") : "chart",
    list: counted ? list.label : `${facts.title}, chart`,
  };
}

/** Both p95 are one chart there. */
function chartOf(name: MeasureName): string {
  return name === "first_answer" ? "latency" : name;
}

export function allMeasuresHref(window: Span): string {
  return metricsHref(window, "").replace(/#$/, "");
}
