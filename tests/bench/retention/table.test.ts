import { describe, expect, it } from "vitest";
import { retentionTable, type RetentionRound } from "./table";

const round = (beside: number, more: Partial<RetentionRound> = {}): RetentionRound => ({
  way: "paced",
  alone: 1_000,
  beside,
  rows: 6_000,
  seconds: 2,
  whole: false,
  ...more,
});

describe("table of retention beside claims", () => {
  it("has the middle ratio with its span, rows a second and what a day takes", () => {
    const text = retentionTable([round(960), round(900), round(980)], 300_000);
    expect(text).toContain("| paced | 1,000 | 960 | 0.96 (0.90–0.98) | 3,000 | 10 s |  |");
    expect(text).toContain("A day of 10,000 operations");
  });

  it("says when retention was done before the claims were", () => {
    expect(retentionTable([round(960, { whole: true })], 300_000)).toContain("fewer --seconds");
  });
});
