import { describe, expect, it } from "vitest";
import { flatChanges } from "./flat-changes";

describe("two JSON values side by side", () => {
  it("puts what changed first and keeps what stayed", () => {
    expect(
      flatChanges({ state: "UNKNOWN", fence: 2 }, { state: "COMPLETED", fence: 2, answer: { status: 201 } }),
    ).toEqual([
      { name: "state", before: "UNKNOWN", after: "COMPLETED", changed: true },
      { name: "answer.status", before: undefined, after: "201", changed: true },
      { name: "fence", before: "2", after: "2", changed: false },
    ]);
  });

  it("takes nothing, lists and plain values as they come", () => {
    expect(flatChanges(undefined, undefined)).toEqual([]);
    expect(flatChanges(null, ["a", {}])).toEqual([
      { name: "value", before: "null", after: undefined, changed: true },
      { name: "0", before: undefined, after: "a", changed: true },
      { name: "1", before: undefined, after: "{}", changed: true },
    ]);
  });
});
