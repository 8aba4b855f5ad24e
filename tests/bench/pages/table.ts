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
    return { page, before, after, ratio: known ? after.processor / before.processor : after.p50 / before.p50 };
  });
}

function timesOf(reads: readonly ReadTime[]) {
  const ms = reads.map((read) => read.ms);
  const processor = reads.map((read) => read.processorMs);
  return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), processor: quantile(processor, 0.5) };
}

/** Slowest first; what is over a bound is marked. */
export function pageTable(figures: readonly PageFigures[], small: number, large: number): string {
  const sorted = pageRows(figures).sort((a, b) => b.after.p95 - a.after.p95);
  const size = (operations: number): string => `${operations.toLocaleString("en")} operations`;
  const columns = (operations: number): string[] => [`${size(operations)}, p50 ms`, "p95 ms", "processor ms"];
  const head = ["read", ...columns(small), ...columns(large), "ratio", ""];
  const body = sorted.map((row) => {
    const marks = [
      ...(row.after.p95 > (CHARTS.test(row.page) ? MOST_CHART_MS : MOST_LIST_MS) ? ["slow"] : []),
      ...(row.ratio > MOST_RATIO ? ["grows"] : []),
    ];
    const cells = [row.before, row.after].flatMap(({ p50, p95, processor }) => [p50, p95, processor]);
    return [
      row.page,
      ...cells.map((ms) => (Number.isNaN(ms) ? "" : ms.toFixed(1))),
      row.ratio.toFixed(1),
      marks.join(", "),
    ];
  });
  return markdownTable(head, body);
}

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
