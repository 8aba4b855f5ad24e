import fc from "fast-check";
import { expect, it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import type { AttachmentView, FactView, LookView } from "../views/attachments";
import { attachedState, factName, previewCell, WORTH } from "./attached-words";
import { attachmentLimit, attachmentsVerdict, reachWords } from "./attachments-verdict";
import { factCounts, lookVerdict, whyNotAttach, type LookFacts } from "./look-verdict";
import { emptyMap, valuesIn, withFact } from "./map-fields";

const attachment = fc.record({
  unreachable: fc.constantFrom(undefined, "nobody answered."),
}) as fc.Arbitrary<AttachmentView>;
const view = fc.record({
  attachments: fc.array(attachment, { maxLength: 3 }),
  limit: fc.constantFrom(1, 3),
});

it("TRUTH-1 the page of attachments counts what is attached and what cannot be read", () => {
  type Of = typeof view extends fc.Arbitrary<infer Value> ? Value : never;
  const silent = (of: Of): number => of.attachments.filter(({ unreachable }) => unreachable !== undefined).length;
  holdSentences(
    view,
    (of) => [...attachmentsVerdict(of).map(({ text }) => text), attachmentLimit(of) ?? "There is room"],
    [
      [/^No database is attached\.$/, ({ attachments }) => attachments.length === 0],
      [
        /^(\d) databases? (?:is|are) attached\.$/,
        ({ attachments }, count = "") => attachments.length === figure(count),
      ],
      [/^(\d) cannot be read now\.$/, (of, count = "") => silent(of) === figure(count) && silent(of) > 0],
      [
        /^A tenant attaches at most (\d) databases?; remove one first\.$/,
        (of, limit = "") => of.limit === figure(limit) && of.attachments.length >= of.limit,
      ],
      [/^There is room$/, (of) => of.attachments.length < of.limit],
    ],
  );
  holdSentences(attachment, (of) => [reachWords(of)], [
    [/^Answers$/, ({ unreachable }) => unreachable === undefined],
    [/^Cannot be read$/, ({ unreachable }) => unreachable !== undefined],
  ]);
});

const kind = fc.constantFrom<FactView["kind"]>("stored", "derived", "not_stored");
const facts = fc
  .array(kind, { maxLength: 4 })
  .map((kinds) => kinds.map((each, at) => ({ name: `f${String(at)}`, kind: each })));
const chosen = fc
  .record({
    problem: fc.constantFrom(undefined, "It does not fit."),
    map: fc.constantFrom(undefined, { given: { table: "public.keys" }, columns: [] }),
    facts: fc.array(facts, { maxLength: 2 }),
  })
  .map(({ facts: lists, ...more }) => ({
    ...{ preset: "cap", title: "CAP", versions: "10", where: "theirs", constants: [], acts: [], notes: [] },
    ...more,
    lists: lists.map((list) => ({ list: "keys", facts: list, preview: { shown: false, because: "" } })),
  }));
const look = fc
  .record({
    recognised: fc.constantFrom([], [{}]),
    guesses: fc.constantFrom([], [{}], [{}, {}]),
    tables: fc.constantFrom(0, 1, 12),
    chosen: fc.option(chosen, { nil: undefined }),
    preset: fc.constantFrom(undefined, "cap"),
    states: fc.array(fc.constantFrom("ok", "note", "wrong"), { maxLength: 4 }),
  })
  .map(({ preset, states, ...of }) => ({
    ...of,
    installed: { schema: "onceboard_attach", preset, findings: states.map((state) => ({ state, text: "" })) },
  })) as unknown as fc.Arbitrary<LookFacts>;

it("TRUTH-1 a look says whose tables they are, what can be shown, and whether it is installed and passes", () => {
  const all = ({ chosen: of }: LookFacts): readonly FactView[] => (of?.lists ?? []).flatMap((list) => list.facts);
  const count = ({ installed }: LookFacts, state: string): number =>
    installed.findings.filter((each) => each.state === state).length;
  const is = ({ installed }: LookFacts): boolean => installed.preset !== undefined;
  const ready = (of: LookFacts): boolean => is(of) && count(of, "wrong") === 0;
  holdSentences(look, (of) => [...lookVerdict(of).map(({ text }) => text), whyNotAttach(of) ?? "It can be attached"], [
    [/^Nothing can be made of theirs yet\.$/, (of) => of.chosen?.problem !== undefined],
    [/^Looks like CAP, in schema theirs\.$/, (of) => of.chosen !== undefined && of.chosen.map === undefined],
    [/^theirs is mapped by hand\.$/, (of) => of.chosen?.map !== undefined],
    [
      /^(\d) shapes? found\. Choose one\.$/,
      (of, shapes = "") => of.chosen === undefined && of.recognised.length + of.guesses.length === figure(shapes),
    ],
    [
      /^No known shape among (\d+) tables?\.$/,
      (of, tables = "") =>
        of.chosen === undefined && of.recognised.length + of.guesses.length === 0 && of.tables === figure(tables),
    ],
    [
      /^(\d) of (\d) facts? can be shown\.$/,
      (of, shown = "", whole = "") =>
        all(of).filter((fact) => fact.kind !== "not_stored").length === figure(shown) &&
        all(of).length === figure(whole),
    ],
    [/^Not installed yet\.$/, (of) => !is(of) && of.chosen !== undefined],
    [/^(\d) checks? fails?\.$/, (of, wrong = "") => is(of) && count(of, "wrong") === figure(wrong)],
    [/^(\d) notes? to read\.$/, (of, notes = "") => is(of) && count(of, "note") === figure(notes)],
    [
      /^All (\d) checks? pass\.$/,
      (of, passed = "") => ready(of) && count(of, "note") === 0 && count(of, "ok") === figure(passed),
    ],
    [/^There is no schema onceboard_attach yet: its owner runs the SQL, then check again\.$/, (of) => !is(of)],
    [/^A check fails: mend it, then check again\.$/, (of) => is(of) && count(of, "wrong") > 0],
    [/^It can be attached$/, ready],
  ]);
  expect(whyNotAttach(undefined)).toBe("Look at a database first.");
});

it("TRUTH-1 the head of a list counts what is stored, derived and not stored", () => {
  const of = (...kinds: FactView["kind"][]) => kinds.map((each) => ({ name: each, kind: each }));
  expect(factCounts(of("stored", "derived", "stored"))).toBe("2 as stored, 1 derived");
  expect(factCounts(of("not_stored"))).toBe("1 not stored");
  expect(Object.values(WORTH).map(({ word }) => word)).toEqual(["Yes", "Derived", "Not stored"]);
});

it("a state, a column and a time are said as people say them, and one that nobody knows is unknown", () => {
  expect(attachedState("outgoing", "sent")).toEqual({ word: "Sent", glyph: "published" });
  expect(attachedState("incoming", "done")).toEqual({ word: "Done", glyph: "processed" });
  expect(attachedState("incoming", "waiting").glyph).toBe("recorded");
  expect(attachedState("keys", "odd")).toEqual({ word: "State not known", glyph: "gap" });
  expect(factName("last_error")).toBe("Last error");
  expect(factName("a_new_one")).toBe("a_new_one");
  expect(["2026-11-22T12:00:00.123Z", "out:1", null].map(previewCell)).toEqual(["2026-11-22 12:00:00", "out:1", ""]);
});

it("a form changes one fact of a map, leaves an empty one out, and begins with one column", () => {
  const map = emptyMap("public.outbox", "outbox", ["id", "type"]) satisfies LookView["guesses"][number]["map"];
  expect(map).toEqual({ table: "public.outbox", messages: { kind: "outbox", id: "id" } });
  expect(withFact(withFact(map, "type", "type"), "id", "")).toEqual({
    table: "public.outbox",
    messages: { kind: "outbox", type: "type" },
  });
  expect(withFact(emptyMap("t", "keys", ["key"]), "tenant", "tenant_id").keys).toEqual({
    ...{ key: "key", id: ["key"], inFlight: "no_row", tenant: "tenant_id" },
  });
  expect(valuesIn(" done, ,COMPLETED ")).toEqual(["done", "COMPLETED"]);
});
