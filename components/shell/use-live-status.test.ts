import { describe, expect, it } from "vitest";
import { pauseAfter } from "./use-live-status";

describe("the pause between two polls (UI-2)", () => {
  it("grows while nobody touches the page", () => {
    expect([0, 119_000, 121_000, 599_000, 601_000].map((idle) => pauseAfter(0, idle))).toEqual([
      2_000, 2_000, 10_000, 10_000, 30_000,
    ]);
  });
  it("doubles with every failure, up to half a minute", () => {
    expect([1, 2, 3, 4, 9].map((failures) => pauseAfter(failures, 0))).toEqual([4_000, 8_000, 16_000, 30_000, 30_000]);
  });
});
