import { describe, expect, it } from "vitest";
import type { SourceFlightList, SourceFlightView, SourceStanding } from "../views/sources";
import { flightLede, flightVerdict, flying, STANDINGS } from "./flight-claims";

const NONE: Readonly<Record<SourceStanding, number>> = { lock_ended: 0, old: 0, held: 0, young: 0, no_time: 0 };
const shown = (counts: Partial<typeof NONE>, changes: Partial<SourceFlightList> = {}): SourceFlightList => ({
  ...{ view: "outgoing", columns: [], states: [] },
  page: { kind: "rows", rows: [], counts: { ...NONE, ...counts } },
  ...changes,
});
const hidden: SourceFlightList = shown({}, { page: { kind: "not_shown", because: "It is dear." } });
const viewOf = (...lists: readonly SourceFlightList[]): SourceFlightView => ({
  source: { name: "orders-db", title: "Oban" } as SourceFlightView["source"],
  ...{ at: "", oldAfterMs: 900_000, lists },
});
const said = (...lists: readonly SourceFlightList[]): string =>
  flightVerdict(viewOf(...lists))
    .map(({ text }) => text)
    .join(" ");

describe("what the page of rows in flight says", () => {
  it.each<[string, readonly SourceFlightList[]]>([
    ["Nothing of orders-db is in flight.", [shown({})]],
    ["1 row is in flight. No lock is stale.", [shown({ held: 1 })]],
    [
      "5 rows are in flight. 2 locks are stale.",
      [shown({ held: 2, lock_ended: 1 }), shown({ held: 1, lock_ended: 1 })],
    ],
    // Of a row that says no end of a lock nothing is said of locks.
    ["2 rows are in flight.", [shown({ held: 1, young: 1 })]],
    ["3 rows are in flight. 3 rows without an end of a lock are older than 15 minutes.", [shown({ old: 3 })]],
    ["1 row is in flight. Of 1 row no time is stored.", [shown({ no_time: 1 })]],
    ["What is in flight in the list outbox is not shown.", [hidden]],
    [
      "1 row is in flight. What is in flight in the list operations is not shown.",
      [shown({ held: 1 }), { ...hidden, view: "keys" }],
    ],
  ])("%s", (words, lists) => {
    expect(said(...lists)).toBe(words);
  });

  it("calls nothing stale where no end of a lock is stored", () => {
    const lock = (kind: "stored" | "not_stored") => [{ name: "locked_until", kind }];
    expect(flightLede(viewOf(shown({}, { columns: lock("not_stored") })))).toContain("so none can be called stale");
    const told = flightLede(viewOf(shown({}, { columns: lock("stored") })));
    expect(told).toContain("One is stale once its lock ran out, by the clock of its database");
    expect(told).toContain("called old after 15 minutes");
    expect(told).toContain("Whether a process still works on it is not known here.");
  });

  it("counts all standings, or those that are named", () => {
    expect(flying(shown({ old: 2, held: 3 }))).toBe(5);
    expect(flying(shown({ old: 2, held: 3 }), "old")).toBe(2);
    expect(flying(hidden)).toBe(0);
    expect(STANDINGS.lock_ended).toMatchObject({ glyph: "STALE", tone: "doubt" });
  });
});
