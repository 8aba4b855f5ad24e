import { describe, expect, it } from "vitest";
import { overviewNotes, overviewVerdict, type OverviewFacts } from "./overview-verdict";

const CALM: OverviewFacts = { unknown: 0, stale: 0, totals: [], dead: 0, stopped: [], violated: 0 };
const MINUTE = 60_000;

describe("the overview's sentence", () => {
  it("says nothing more when nothing is wrong", () => {
    expect(overviewVerdict(CALM)).toEqual({
      clauses: [{ text: "Nothing is unknown and no lease is stale.", tone: "fine" }],
      text: "Nothing is unknown and no lease is stale.",
    });
    expect(overviewNotes(CALM)).toEqual([]);
  });
  it.each([
    [{ dead: 6 }, "6 messages gave up."],
    [{ dead: 1 }, "1 message gave up."],
    [{ oldestOutboxMs: 7 * MINUTE }, "The outbox is late by 7 minutes."],
    [{ stopped: ["relay"] }, "The loop relay has stopped."],
    [{ stopped: ["relay", "roll up"] }, "2 loops have stopped."],
    [{ noWorker: true }, "No worker runs."],
    [{ violated: 1 }, "1 invariant is broken."],
    [{ violated: 2 }, "2 invariants are broken."],
  ] as const)("underlines %j", (wrong, clause) => {
    const verdict = overviewVerdict({ ...CALM, ...wrong });
    expect(verdict.text).toBe(`Nothing is unknown and no lease is stale. ${clause}`);
    expect(verdict.clauses.at(-1)?.tone).toBe("broken");
  });
  it("leaves a message that just came alone", () => {
    expect(overviewVerdict({ ...CALM, oldestOutboxMs: MINUTE }).clauses).toHaveLength(1);
  });
  it("keeps its order: doubt, invariants, messages, loops", () => {
    const facts = { ...CALM, stale: 1, violated: 1, oldestOutboxMs: 2 * MINUTE, dead: 2, stopped: ["relay"] };
    expect(overviewVerdict(facts).text).toBe(
      "1 lease is stale. 1 invariant is broken. The outbox is late by 2 minutes. 2 messages gave up. The loop relay has stopped.",
    );
    expect(overviewNotes(facts)).toHaveLength(3);
  });
});
