import { markdownTable } from "../../shared/markdown";
import type { ReadTime } from "./reader";

/** Times of one read in both databases. */
export interface PageFigures {
  readonly page: string;
  readonly small: readonly ReadTime[];
  readonly large: readonly ReadTime[];
}

/** What a list of the console may take, and what adds up a time: charts, the overview, the checklist. */
const MOST_LIST_MS = 20;
const MOST_CHART_MS = 50;
const CHARTS = /^\/( |$|metrics|clients|flow|checklist|consumers|topics)/;
/** How much more of it with a hundred times the rows. */
const MOST_RATIO = 1.5;

/** The ratio is one of medians, of processor time where it is known: a busy machine moves them less. */
function pageRows(figures: readonly PageFigures[]) {
  return figures.map(({ page, small, large }) => {
    const [before, after] = [timesOf(small), timesOf(large)];
    const known = !Number.isNaN(before.processor + after.processor);
    const ratio = known ? after.processor / before.processor : after.p50 / before.p50;
    const chart = CHARTS.test(page);
    // In SQL where that is known, else with all that is around it.
    const slow = (known ? after.sql : after.p95) > (chart ? MOST_CHART_MS : MOST_LIST_MS);
    return { page, before, after, ratio, chart, slow, grows: ratio > MOST_RATIO };
  });
}

function timesOf(reads: readonly ReadTime[]) {
  const ms = reads.map((read) => read.ms);
  const processor = reads.map((read) => read.processorMs);
  const sql = reads.map((read) => read.sqlMs);
  return {
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
    processor: quantile(processor, 0.5),
    sql: quantile(sql, 0.95),
  };
}

/** Slowest first; what is over a bound is marked. */
export function pageTable(figures: readonly PageFigures[], small: number, large: number): string {
  const sorted = pageRows(figures).sort((a, b) => b.after.p95 - a.after.p95);
  const size = (operations: number): string => `${operations.toLocaleString("en")} operations`;
  const columns = (operations: number): string[] => [
    `${size(operations)}, p50 ms`,
    "p95 ms",
    "processor ms",
    "in SQL p95 ms",
  ];
  const head = ["read", ...columns(small), ...columns(large), "ratio", ""];
  const body = sorted.map((row) => {
    const marks = [...(row.slow ? ["slow"] : []), ...(row.grows ? ["grows"] : [])];
    const cells = [row.before, row.after].flatMap(({ p50, p95, processor, sql }) => [p50, p95, processor, sql]);
    return [
      row.page,
      ...cells.map((ms) => (Number.isNaN(ms) ? "" : ms.toFixed(1))),
      row.ratio.toFixed(1),
      marks.join(", "),
    ];
  });
  return markdownTable(head, body);
}

/** How many reads keep their bounds, and what the slowest of those takes that most do: one line for lists, one for charts. */
export function boundsTable(figures: readonly PageFigures[]): string {
  const rows = pageRows(figures);
  const head = [
    "",
    "reads",
    "bound, p95 ms",
    "within it",
    "95 of 100 take at most ms",
    `grow no more than ${String(MOST_RATIO)} times`,
  ];
  const lines = [false, true].map((charts) => {
    const own = rows.filter(({ chart }) => chart === charts);
    const times = own.map(({ after }) => (Number.isNaN(after.sql) ? after.p95 : after.sql));
    return [
      charts ? "charts" : "lists and other reads",
      String(own.length),
      String(charts ? MOST_CHART_MS : MOST_LIST_MS),
      String(own.filter(({ slow }) => !slow).length),
      own.length === 0 ? "" : quantile(times, 0.95).toFixed(1),
      String(own.filter(({ grows }) => !grows).length),
    ];
  });
  return markdownTable(head, lines);
}

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
