import { bucketStarts, type ChartWindow } from "@/domain/metrics/chart-window";
import { claimWords, type PageClaim } from "@/domain/page-claim";
import { chargesReplayed, MEASURE_FACTS } from "./measure-facts";
import { NO_CLIENT, REST_SLOT } from "./measure-links";
import type { MeasureChart, MeasureName, MeasureSeries } from "../views/metrics";
import type { MetricGroup } from "@/domain/lists/filters";

export interface AnswerSample {
  readonly bucket: string;
  /** None: the rest of the groups, or no grouping. */
  readonly name?: string | undefined;
  readonly outcome: string;
  readonly count: number;
  readonly p95?: number | undefined;
  readonly delaySum: number;
  readonly delayCount: number;
}

export interface SuppressedSample {
  readonly bucket: string;
  /** None: the rest of the groups, or no grouping. */
  readonly name?: string | undefined;
  readonly currency: string;
  readonly count: number;
  readonly sumMinor: string;
}

export interface MeasureInput {
  readonly window: ChartWindow;
  readonly group?: MetricGroup | undefined;
  readonly answers: readonly AnswerSample[];
  /** Seconds and counts, as gauges are kept. */
  readonly gauges: readonly { readonly bucket: string; readonly name: string; readonly value: number }[];
  readonly distances: readonly { readonly bucket: string; readonly count: number; readonly sum: number }[];
  /** What replays would have cost: minor units as text. */
  readonly suppressed: readonly SuppressedSample[];
  /** Names of the operations that it is counted of. */
  readonly charges: readonly string[];
  /** Buckets of which something was rolled up. */
  readonly measured: readonly string[];
}

/** Gauges that are charted, with the factor from what is kept to what is shown. */
const GAUGES: Readonly<Partial<Record<MeasureName, { readonly names: readonly string[]; readonly factor: number }>>> = {
  oldest_in_progress: { names: ["oldest_in_progress_seconds"], factor: 1_000 },
  open: { names: ["in_progress", "unknown"], factor: 1 },
  oldest_outbox: { names: ["outbox_oldest_seconds"], factor: 1_000 },
  oldest_inbox: { names: ["inbox_oldest_seconds"], factor: 1_000 },
  dead_letters: { names: ["dead_letters"], factor: 1 },
};
export const MEASURE_GAUGES: readonly string[] = Object.values(GAUGES).flatMap((gauge) => gauge.names);

const COUNTED: Readonly<Partial<Record<MeasureName, string>>> = {
  executed: "executed",
  replayed: "replayed",
  in_progress: "in_progress",
  conflict: "conflict",
  expired_retry: "expired_retry",
  unknown: "unknown_entered",
};
/** Not an answer of its own: the same request is counted under its outcome. */
const NO_ANSWER = "unknown_entered";

const THE_REST = "the rest";

type Values = readonly (number | null)[];
interface Line {
  readonly label: string;
  /** As samples name it; none: the rest, or no grouping. */
  readonly name: string | undefined;
  readonly slot: number;
  readonly rows: readonly AnswerSample[];
}

/** Lays roll-ups on one axis: a bucket without answers is 0, one of which nothing was rolled up is null. What is now is said by `withNow`. */
export function buildMeasures(input: MeasureInput): readonly MeasureChart[] {
  const axis = axisOf(input);
  const charts: MeasureChart[] = [];
  const add = (name: MeasureName, series: readonly MeasureSeries[]): void => {
    charts.push({ name, ...MEASURE_FACTS[name], series });
  };
  const lines = linesOf(input.answers, input.group);
  const each = (name: MeasureName, read: (line: Line) => MeasureSeries): void => {
    add(name, lines.map(read));
  };
  for (const [name, outcome] of Object.entries(COUNTED) as [MeasureName, string][])
    each(name, (line) => counted(line, axis, (row) => row.outcome === outcome));
  each("replay_ratio", (line) => share(line, axis, "replayed", ["replayed", "executed"]));
  each("conflict_rate", (line) => share(line, axis, "conflict"));
  for (const currency of currenciesOf(input.suppressed)) charts.push(suppressedChart(input, lines, axis, currency));
  const first = lines.map((line) => slowest(line, axis, "executed"));
  const replay = lines.map((line) => slowest(line, axis, "replayed"));
  if (input.group === undefined) {
    add("latency", [
      ...first.map((one) => ({ ...one, label: "first answer" })),
      ...replay.map((one) => ({ ...one, label: "replay", slot: 1 })),
    ]);
  } else {
    add("first_answer", first);
    add("replay_latency", replay);
  }
  each("retry_delay", (line) => mean(line, axis, line.rows, "delaySum", "delayCount"));
  const whole: Line = { label: "all", name: undefined, slot: 0, rows: [] };
  if (input.distances.length > 0) add("reuse_distance", [mean(whole, axis, input.distances, "sum", "count")]);
  for (const [name, gauge] of Object.entries(GAUGES) as [MeasureName, { names: readonly string[]; factor: number }][])
    add(name, [sampled(whole, axis, input.gauges, gauge)]);
  return charts;
}

interface Axis {
  readonly at: (bucket: string) => number;
  readonly size: number;
  /** 0 where something was rolled up, else null. */
  readonly zero: Values;
}

function axisOf({ window, measured }: MeasureInput): Axis {
  const first = Date.parse(window.from);
  const at = (bucket: string): number => Math.round((Date.parse(bucket) - first) / (window.bucketSeconds * 1_000));
  const known = new Set(measured.map(at));
  return { at, size: window.buckets, zero: bucketStarts(window).map((_, index) => (known.has(index) ? 0 : null)) };
}

function linesOf(rows: readonly AnswerSample[], group: MetricGroup | undefined): readonly Line[] {
  if (group === undefined) return [{ label: "all", name: undefined, slot: 0, rows }];
  const totals = new Map<string | undefined, number>();
  for (const row of rows) totals.set(row.name, (totals.get(row.name) ?? 0) + row.count);
  const names = [...totals.keys()].filter((name) => name !== undefined);
  names.sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || a.localeCompare(b));
  const lines = names.map((name, index): Line => {
    return {
      label: name === "" ? NO_CLIENT : name,
      name,
      slot: index + 1,
      rows: rows.filter((row) => row.name === name),
    };
  });
  return totals.has(undefined)
    ? [
        ...lines,
        { label: THE_REST, name: undefined, slot: REST_SLOT, rows: rows.filter((row) => row.name === undefined) },
      ]
    : lines;
}

function series({ label, slot }: Line, values: Values, total: number | null): MeasureSeries {
  return { label, slot, values, now: null, total };
}

const sum = (values: Values): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

function counted(line: Line, axis: Axis, is: (row: AnswerSample) => boolean): MeasureSeries {
  const values = sums(axis, line.rows.filter(is), (row) => row.count);
  return series(line, values, sum(values));
}

/** @returns the sum per bucket, over what is known of it */
function sums<Row extends { bucket: string }>(axis: Axis, rows: readonly Row[], read: (row: Row) => number): Values {
  const values = [...axis.zero];
  for (const row of rows) {
    const index = axis.at(row.bucket);
    if (index >= 0 && index < axis.size) values[index] = (values[index] ?? 0) + read(row);
  }
  return values;
}

/** @param among outcomes that are the whole; without it every answer */
function share(line: Line, axis: Axis, part: string, among?: readonly string[]): MeasureSeries {
  const whole = line.rows.filter(({ outcome }) =>
    among === undefined ? outcome !== NO_ANSWER : among.includes(outcome),
  );
  const parts = sums(
    axis,
    whole.filter((row) => row.outcome === part),
    (row) => row.count,
  );
  const all = sums(axis, whole, (row) => row.count);
  return series(line, ratio(parts, all), sum(all) === 0 ? null : sum(parts) / sum(all));
}

function ratio(parts: Values, all: Values): Values {
  return parts.map((part, index) => {
    const whole = all[index] ?? 0;
    return part === null || whole === 0 ? null : part / whole;
  });
}

function currenciesOf(samples: readonly SuppressedSample[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { currency, count } of samples) counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a.localeCompare(b));
}

/** What the lines per client of the sum leave out. */
const SUPPRESSED_NOTES: readonly PageClaim<{ readonly unnamed: boolean }>[] = [
  { name: "some without a client", holds: ({ unnamed }) => unnamed, words: () => "Older roll-ups kept no client." },
];

function suppressedChart(
  { suppressed, charges, group }: MeasureInput,
  lines: readonly Line[],
  axis: Axis,
  currency: string,
): MeasureChart {
  const facts = MEASURE_FACTS.suppressed;
  const found = moneyLines(lines, axis, suppressed, currency);
  const unnamed = group === "client" && found.some(({ label }) => label === NO_CLIENT || label === THE_REST);
  return {
    name: "suppressed",
    ...facts,
    list: chargesReplayed(charges),
    note: [facts.note, ...claimWords(SUPPRESSED_NOTES, { unnamed })].join(" "),
    currency,
    series: found,
  };
}

/** One line for all of it, or one per group that has some; what belongs to no line of the answers is the rest. */
function moneyLines(
  lines: readonly Line[],
  axis: Axis,
  samples: readonly SuppressedSample[],
  currency: string,
): readonly MeasureSeries[] {
  const own = samples.filter((sample) => sample.currency === currency);
  const rest: Line = { label: THE_REST, name: undefined, slot: REST_SLOT, rows: [] };
  return (lines.some(({ name }) => name === undefined) ? lines : [...lines, rest]).flatMap((line) => {
    const found = own.filter(({ name }) => name === line.name);
    return found.length === 0 ? [] : [money(line, axis, found)];
  });
}

/** Sums are bigint; the numbers beside them are for drawing. */
function money(line: Line, axis: Axis, samples: readonly SuppressedSample[]): MeasureSeries {
  const values = axis.zero.map((zero): bigint | null => (zero === null ? null : 0n));
  for (const row of samples) {
    const index = axis.at(row.bucket);
    if (index < 0 || index >= axis.size) continue;
    values[index] = (values[index] ?? 0n) + BigInt(row.sumMinor);
  }
  const total = values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n);
  const exact = values.map((value) => value?.toString() ?? null);
  return {
    ...series(
      line,
      values.map((value) => (value === null ? null : Number(value))),
      Number(total),
    ),
    exact: { values: exact, now: null, total: total.toString() },
  };
}

function slowest(line: Line, axis: Axis, outcome: string): MeasureSeries {
  const values = new Array<number | null>(axis.size).fill(null);
  for (const row of line.rows) {
    const index = axis.at(row.bucket);
    if (row.outcome !== outcome || row.p95 === undefined || index < 0 || index >= axis.size) continue;
    values[index] = Math.max(values[index] ?? 0, row.p95);
  }
  return series(line, values, highest(values));
}

function mean<Sum extends string, Count extends string>(
  line: Line,
  axis: Axis,
  rows: readonly ({ readonly bucket: string } & Readonly<Record<Sum | Count, number>>)[],
  sum: Sum,
  count: Count,
): MeasureSeries {
  const values = ratio(
    sums(axis, rows, (row) => row[sum]),
    sums(axis, rows, (row) => row[count]),
  );
  return series(line, values, highest(values));
}

function sampled(
  line: Line,
  axis: Axis,
  samples: MeasureInput["gauges"],
  { names, factor }: { readonly names: readonly string[]; readonly factor: number },
): MeasureSeries {
  const values = new Array<number | null>(axis.size).fill(null);
  for (const { bucket, name, value } of samples) {
    const index = axis.at(bucket);
    if (names.includes(name) && index >= 0 && index < axis.size) values[index] = (values[index] ?? 0) + value * factor;
  }
  return series(line, values, highest(values));
}

function highest(values: Values): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
