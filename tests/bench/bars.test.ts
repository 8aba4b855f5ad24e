import { describe, expect, it } from "vitest";
import { BARS, failedBars } from "./bars";

const bar = { case: "replay", target: "host", figure: "ofRaw", measured: 0.5 } as const;
const row = { case: "replay", target: "host", ofRaw: 0.5, ofBareCpu: undefined };

describe("the bars of npm run bench -- --check", () => {
  it.each([
    [0.5, true],
    [0.41, true],
    [0.39, false],
    [2, true],
  ])("a share of raw SQL of %d where 0.5 was measured holds: %s", (ofRaw, holds) => {
    expect(failedBars([{ ...row, ofRaw }], [bar])).toHaveLength(holds ? 0 : 1);
  });

  it.each([
    [4, true],
    [4.7, true],
    [4.9, false],
    [1, true],
  ])("%d times the processor time of a bare handler where 4 was measured holds: %s", (ofBareCpu, holds) => {
    const failed = failedBars([{ ...row, ofBareCpu }], [{ ...bar, figure: "ofBareCpu", measured: 4 }]);
    expect(failed).toHaveLength(holds ? 0 : 1);
  });

  it("says which one, and leaves out what was not measured", () => {
    expect(failedBars([{ ...row, ofRaw: 0.1 }], [bar])).toEqual([
      "replay, host: 0.10 of the rate of raw SQL, it was 0.50.",
    ]);
    expect(failedBars([], BARS)).toEqual([]);
    expect(failedBars([{ ...row, ofRaw: undefined }], [bar])).toEqual([]);
  });
});
