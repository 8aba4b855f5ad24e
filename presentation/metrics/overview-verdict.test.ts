import { describe, expect, it } from "vitest";
import { overviewNotes, overviewVerdict, type OverviewFacts } from "./overview-verdict";

const LEDGER = { waiting: 0, dead: 0 };
const CALM: OverviewFacts = {
  unknown: 0,
  stale: 0,
  totals: [],
  dead: 0,
  late: [],
  latePlaces: 0,
  ledger: LEDGER,
  stopped: [],
  violated: 0,
};
const MINUTE = 60_000;
const late = (oldestMs: number, place = "payments"): OverviewFacts["late"][number] => ({
  side: "outbox",
  place,
  label: place,
  waiting: 3,
  oldestMs,
  paused: false,
  disabled: false,
});

describe("the overview's sentence", () => {
  it("says nothing more when nothing is wrong", () => {
    expect(overviewVerdict(CALM)).toEqual({
      clauses: [{ text: "Nothing is unknown and no lease is stale.", tone: "fine" }],
      text: "Nothing is unknown and no lease is stale.",
    });
    expect(overviewNotes(CALM)).toEqual([]);
  });
  it.each([
    [{ dead: 6 }, "6 messages are dead."],
    [{ dead: 1 }, "1 message is dead."],
    [{ late: [late(7 * MINUTE)], latePlaces: 1 }, "Topic payments: 3 messages wait, the oldest is 7 minutes old."],
    [
      { late: [late(7 * MINUTE, "mail"), late(2 * MINUTE), late(MINUTE, "accounts")], latePlaces: 40 },
      "Messages wait too long in 40 topics and consumers, longest in mail: the oldest is 7 minutes old.",
    ],
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
  it("does not say that the ledger is behind by what just came", () => {
    expect(overviewNotes({ ...CALM, ledger: { ...LEDGER, waiting: 3, oldestMs: MINUTE } })).toEqual([]);
    expect(overviewNotes({ ...CALM, ledger: { ...LEDGER, waiting: 3, oldestMs: 2 * MINUTE } })).toEqual([
      "The ledger is behind: 3 events for it wait, the oldest is 2 minutes old.",
    ]);
  });
  it("keeps its order: doubt, invariants, messages, loops", () => {
    const facts = {
      ...CALM,
      stale: 1,
      violated: 1,
      late: [late(2 * MINUTE)],
      latePlaces: 1,
      ledger: { waiting: 3, oldestMs: 2 * MINUTE, dead: 1 },
      dead: 2,
      stopped: ["relay"],
    };
    expect(overviewVerdict(facts).text).toBe(
      "1 lease is stale. 1 invariant is broken. Topic payments: 3 messages wait, the oldest is 2 minutes old. 2 messages are dead. The loop relay has stopped.",
    );
    expect(overviewNotes(facts)).toHaveLength(4);
  });
});
