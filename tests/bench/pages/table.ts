import { markdownTable } from "../../shared/markdown";

/** Times of one read in both databases, ms. */
export interface PageFigures {
  readonly page: string;
  readonly small: readonly number[];
  readonly large: readonly number[];
}

/** What a page of the console may take, and how much more of it with a hundred times the rows. */
const MOST_MS = 50;
const MOST_RATIO = 2;

/** The ratio is one of medians: a busy machine moves them less. */
function pageRows(figures: readonly PageFigures[]) {
  return figures.map(({ page, small, large }) => {
    const [smallP50, largeP50] = [quantile(small, 0.5), quantile(large, 0.5)];
    return {
      page,
      smallP50,
      smallP95: quantile(small, 0.95),
      largeP50,
      largeP95: quantile(large, 0.95),
      ratio: largeP50 / smallP50,
    };
  });
}

/** Slowest first; what is over a bound is marked. */
export function pageTable(figures: readonly PageFigures[], small: number, large: number): string {
  const sorted = pageRows(figures).sort((a, b) => b.largeP95 - a.largeP95);
  const size = (operations: number): string => `${operations.toLocaleString("en")} operations`;
  const head = ["read", `${size(small)}, p50 ms`, "p95 ms", `${size(large)}, p50 ms`, "p95 ms", "ratio of p50", ""];
  const body = sorted.map((row) => {
    const marks = [...(row.largeP95 > MOST_MS ? ["slow"] : []), ...(row.ratio > MOST_RATIO ? ["grows"] : [])];
    const cells = [row.smallP50, row.smallP95, row.largeP50, row.largeP95].map((ms) => ms.toFixed(1));
    return [row.page, ...cells, row.ratio.toFixed(1), marks.join(", ")];
  });
  return markdownTable(head, body);
}

function quantile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
