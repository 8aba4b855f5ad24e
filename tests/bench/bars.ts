import type { Report } from "./report";

type Row = Pick<Report["rows"][number], "case" | "target" | "ofRaw" | "ofBareCpu">;

/** A figure of `npm run bench` as docs/BENCHMARKS.md has it. Each compares two targets of one run, so that it means the same on another machine. */
interface Bar {
  readonly case: string;
  readonly target: string;
  /** `ofRaw`: share of the rate of raw SQL, more is better. `ofBareCpu`: processor time as a multiple of the bare handler's, less is better. */
  readonly figure: "ofRaw" | "ofBareCpu";
  readonly measured: number;
}

export const BARS: readonly Bar[] = [
  { case: "local create", target: "API (Hono host)", figure: "ofRaw", measured: 1.06 },
  { case: "local create", target: "API (Next host)", figure: "ofRaw", measured: 0.99 },
  { case: "local create", target: "once()", figure: "ofRaw", measured: 1.54 },
  { case: "provider create", target: "API (Hono host)", figure: "ofRaw", measured: 0.76 },
  { case: "provider create", target: "API (Next host)", figure: "ofRaw", measured: 0.72 },
  { case: "replay", target: "API (Hono host)", figure: "ofRaw", measured: 0.24 },
  { case: "replay", target: "API (Hono host)", figure: "ofBareCpu", measured: 13 },
  { case: "replay", target: "API (Next host)", figure: "ofRaw", measured: 0.19 },
  { case: "conflict", target: "API (Hono host)", figure: "ofRaw", measured: 0.77 },
];

/** A figure may be worse by this share: what a machine does otherwise moves it by less. */
export const TOLERANCE = 0.2;

/** @returns a sentence for each figure that is worse than its bar allows; a figure that this run did not measure is left out */
export function failedBars(rows: readonly Row[], bars: readonly Bar[] = BARS): string[] {
  return bars.flatMap(({ case: name, target, figure, measured }) => {
    const found = rows.find((row) => row.case === name && row.target === target)?.[figure];
    if (found === undefined) return [];
    const worse = figure === "ofRaw" ? found < measured * (1 - TOLERANCE) : found > measured * (1 + TOLERANCE);
    const words = figure === "ofRaw" ? "of the rate of raw SQL" : "times the processor time of a bare handler";
    return worse ? [`${name}, ${target}: ${found.toFixed(2)} ${words}, it was ${measured.toFixed(2)}.`] : [];
  });
}
