import { describe, expect, it } from "vitest";
import type { SourceListView, SourceRowView, SourceView, SourceViewName } from "../views/sources";
import { errorGroups } from "./error-groups";
import {
  actEffect,
  actLimits,
  expiryWords,
  sourceFoundWords,
  sourceLede,
  sourceListVerdict,
  sourceRetentionVerdict,
  sourceVerdict,
} from "./source-claims";

const row = (state: string, values: SourceRowView["values"] = {}): SourceRowView => ({
  id: "out:1",
  place: "p",
  state,
  values,
});
const source = { name: "orders-db", title: "CAP" } as SourceView["source"];

const listOf = (
  states: readonly string[],
  changes: Partial<SourceListView> & { next?: string; previous?: string } = {},
) => {
  const { next, previous, ...more } = changes;
  return {
    ...{ source, at: "", view: "outgoing" as const, columns: [], states: [] },
    page: { kind: "rows" as const, rows: states.map((state) => row(state)), next, previous },
    ...more,
  };
};
const said = (list: SourceListView): string =>
  sourceListVerdict(list)
    .map(({ text }) => text)
    .join(" ");

describe("what a list of an attached database says of the rows that were read", () => {
  it.each<[string, SourceListView]>([
    ["The list outbox of orders-db has no row.", listOf([])],
    ["1 message in all.", listOf(["sent"])],
    ["2 messages in all. 1 of them is dead.", listOf(["sent", "dead"])],
    ["The newest 1 message.", listOf(["sent"], { next: "n" })],
    ["1 message from further down the list.", listOf(["sent"], { previous: "p" })],
    ["Nothing is further down the list.", listOf([], { previous: "p" })],
    ["No row of orders-db has the state “dead” here.", listOf([], { state: "dead" })],
    ["2 messages in all, of the state “dead”.", listOf(["dead", "dead"], { state: "dead" })],
    ["The newest 1 message of the state “sent”.", listOf(["sent"], { state: "sent", next: "n" })],
    ["2 dead letters in all.", listOf(["dead", "dead"], { view: "dead" })],
    [
      "3 messages in all. 1 failed before and is retried. 2 are in a state that the preset does not know.",
      listOf(["retrying", "unknown", "unknown"]),
    ],
    ["1 key in all.", listOf(["done"], { view: "keys" })],
    [
      "The list outbox of orders-db is not shown.",
      { ...listOf([]), page: { kind: "not_shown", because: "It would read all of it." } },
    ],
  ])("%s", (words, list) => {
    expect(said(list)).toBe(words);
  });

  it("never says that nothing was sent twice, and of keys that refused commands and replays are not kept", () => {
    for (const view of ["keys", "outgoing", "incoming", "dead"] as const)
      expect(`${said(listOf(["done"], { view }))} ${sourceLede({ view, source })}`).not.toMatch(
        /twice|exactly once|only once|not sent again|no duplicate/i,
      );
    expect(sourceLede({ view: "keys", source })).toContain("These tables do not keep refused commands or replays");
    expect(sourceLede({ view: "outgoing", source })).toContain(
      "Whether a receiver had a message more than once is not known here.",
    );
  });
});

const gauge = (view: SourceViewName, state: string, value?: number): SourceView["gauges"][number] => ({
  ...{ view, state, values: [], most: null },
  last: value === undefined ? undefined : { value, atLeast: false, at: "" },
});
const viewOf = (changes: Partial<SourceView>): SourceView => ({
  ...{ source, at: "", attachedAt: "", attachedBy: "", constants: {}, notes: [], range: "1h", buckets: [] },
  lists: (["outgoing", "dead"] as const).map((view) => ({ view, columns: [], states: [] })),
  gauges: [],
  notCounted: [],
  cutOffs: [],
  ...changes,
});
const overviewSaid = (changes: Partial<SourceView>): string =>
  sourceVerdict(viewOf(changes))
    .map(({ text }) => text)
    .join(" ");

describe("what the overview of an attached database says", () => {
  const both = [
    { view: "outgoing" as const, because: "" },
    { view: "dead" as const, because: "" },
  ];
  it.each<[string, Partial<SourceView>]>([
    ["Nothing of orders-db was counted yet.", {}],
    ["Nothing of orders-db was counted yet. 1 list is too long to be counted.", { notCounted: both.slice(1) }],
    ["2 lists are too long to be counted.", { notCounted: both }],
    ["No row was dead when last counted.", { gauges: [gauge("dead", "dead", 0)] }],
    // A dead message is counted in its own list and in that of the dead, and is one.
    ["3 rows are dead, when last counted.", { gauges: [gauge("dead", "dead", 3), gauge("outgoing", "dead", 3)] }],
    ["1 row is dead, when last counted.", { gauges: [gauge("outgoing", "dead", 1), gauge("incoming", "dead", 0)] }],
    ["The rows of orders-db are counted by state.", { gauges: [gauge("keys", "done", 0)] }],
    ["The rows of orders-db are counted by state.", { gauges: [gauge("keys", "done", 4), gauge("dead", "dead")] }],
  ])("%s", (words, changes) => {
    expect(overviewSaid(changes)).toBe(words);
  });

  it("says when rows may be deleted, by what the columns are worth", () => {
    const none = viewOf({});
    expect(sourceRetentionVerdict(none)[0]?.text).toBe("CAP does not store when rows may be deleted.");
    expect(expiryWords(none, "dead")).toEqual({ kind: "– Not stored", says: "" });
    const some = viewOf({
      lists: [
        { view: "outgoing", states: [], columns: [{ name: "expires_at", kind: "derived", says: "A rule." }] },
        { view: "dead", states: [], columns: [{ name: "expires_at", kind: "not_stored", says: "A reason." }] },
      ],
    });
    expect(sourceRetentionVerdict(some)[0]?.text).toBe("1 of 2 lists says when rows may be deleted.");
    expect(expiryWords(some, "outgoing")).toEqual({ kind: "≈ Derived", says: "A rule." });
    expect(expiryWords(some, "dead")).toEqual({ kind: "– Not stored", says: "A reason." });
  });
});

describe("what a search and a dialog say", () => {
  it("nothing found is said of what was asked alone", () => {
    const left = [{ source: "a", because: "away" }];
    const hit = { source: "a", view: "dead", id: "", state: "dead", label: "", href: "" } as const;
    expect(sourceFoundWords({ query: "k", asked: 2, hits: [], left: [] })).toEqual([
      "No row of 2 attached databases has exactly the id or key “k”.",
    ]);
    expect(sourceFoundWords({ query: "k", asked: 2, hits: [], left })).toEqual([
      "No row has exactly the id or key “k” where it could be asked.",
      "1 column or database could not be asked.",
    ]);
    expect(sourceFoundWords({ query: "k", asked: 2, hits: [hit], left: [] })).toEqual([]);
  });

  it.each(["requeue", "discard", "purge"] as const)("%s: what it does, what it does not, and the caveat", (act) => {
    const facts = { act, source: "orders-db", of: { offered: true, says: "A caveat." } };
    expect(actEffect(facts)).toContain(`The installed function ${act} of orders-db`);
    expect(actLimits(facts)).toMatch(/\. A caveat\.$/);
    // The reason why it is not offered is no caveat of it.
    expect(actLimits({ ...facts, of: { offered: false, says: "A reason." } })).not.toContain("A reason.");
    const limits = {
      requeue: "Whether the message was sent before is not known here: it may be sent a second time.",
      discard: "It is not sent. No other row is changed.",
      purge: "What is deleted cannot be brought back.",
    };
    expect(actLimits(facts)).toContain(limits[act]);
  });
});

describe("errors of the rows shown", () => {
  const text = (value: string) => ({ kind: "text" as const, text: value, cut: false });
  it("groups by type and first line, the most frequent first", () => {
    const rows = [
      row("dead", { error_type: text("Timeout"), error_message: text("after 5 s\n at x") }),
      row("dead", {}),
      row("dead", { error_type: text("Timeout"), error_message: text("after 5 s\n at y") }),
    ];
    const columns = [
      { name: "error_type", kind: "stored" as const },
      { name: "error_message", kind: "stored" as const },
    ];
    expect(errorGroups(rows, columns)).toEqual([
      { error: "Timeout: after 5 s", rows: 2, goesOn: false },
      { error: undefined, rows: 1, goesOn: false },
    ]);
    const again = [row("dead", { error_type: text("Timeout"), error_message: text("Timeout after 5 s") })];
    expect(errorGroups(again, columns)).toEqual([{ error: "Timeout after 5 s", rows: 1, goesOn: false }]);
    const long = [row("dead", { error_message: text(`${"x".repeat(200)}y`) })];
    expect(errorGroups(long, columns)).toEqual([{ error: "x".repeat(200), rows: 1, goesOn: true }]);
    expect(errorGroups(rows, [{ name: "error_type", kind: "not_stored", says: "No." }])).toBeUndefined();
  });
});
