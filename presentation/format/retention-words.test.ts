import { describe, expect, it } from "vitest";
import { purgedOperation, retentionFacts, retentionRun } from "./retention-words";

describe("a run of retention in words", () => {
  it("says what the scheduled cleanup removed, and nothing of what was none", () => {
    const detail = { bodies: 1, operations: 2, messages: 0, expired: 1, destroyedKeys: ["2026-11-19", "2026-11-20"] };
    expect(retentionRun({ kind: "retain" })).toBe("Scheduled cleanup");
    expect(retentionFacts({ detail })).toEqual([
      "1 operation's bodies",
      "2 operations",
      "1 key expired",
      "2 days' body keys destroyed",
    ]);
  });

  it("says what a purge skipped, and that more was left", () => {
    expect(retentionFacts({ detail: { operations: 1_200, skippedOpen: 2, more: true } })).toEqual([
      "1,200 operations",
      "2 skipped: still open",
      "more was left",
    ]);
    expect(retentionFacts({ detail: { operations: 0, skippedOpen: 0, more: false } })).toEqual([]);
  });

  it("names the one operation that was purged by its link, not by its id", () => {
    expect(retentionFacts({ detail: { operationId: "01a1" } })).toEqual([]);
    expect(purgedOperation({ detail: { operationId: "01a1" } })).toBe("01a1");
    expect(purgedOperation({})).toBeUndefined();
  });

  it("has words for a kind and a member of another version, and never prints JSON", () => {
    expect(retentionRun({ kind: "old_bodies" })).toBe("Old bodies");
    expect(retentionFacts({ detail: { heldDays: 3, nested: { a: 1 }, list: [1], off: false } })).toEqual([
      "Held days: 3",
    ]);
  });
});
