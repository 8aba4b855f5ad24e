import fc from "fast-check";
import { it } from "vitest";
import { figure, holdSentences } from "../testing/hold-sentences";
import {
  checklistLede,
  lookedHours,
  lookedWords,
  narrowerWords,
  noConflict,
  noOperation,
  notFound,
  stoppedWords,
  tooManyWords,
  walkWords,
} from "./list-answers";

it("TRUTH-1 a list that was stopped says how far it looked and for how long", () => {
  const hours = fc.constantFrom(undefined, "all" as const, 1, 24, 36, 48, 60, 168, 720);
  holdSentences(
    fc.record({ seconds: fc.integer({ min: 1, max: 60 }), search: fc.boolean(), hours }),
    (facts) => [stoppedWords(facts), stoppedWords({ ...facts, hours: facts.hours ?? "all" }, "Narrow it.")],
    [
      [
        /^It looked at all that is kept and stopped after (\d+) s\.(?: Narrow it\.)?$/,
        ({ seconds, hours: of }, said = "") => (of ?? "all") === "all" && figure(said) === seconds,
      ],
      [
        /^It looked at ([\d,]+) (h|days) and stopped after (\d+) s\.(?: Narrow it\.)?$/,
        ({ seconds, hours: of }, count = "", unit, said = "") =>
          figure(count) * (unit === "days" ? 24 : 1) === of && figure(said) === seconds,
      ],
      [
        /^The search stopped after (\d+) s\.$/,
        (facts, said = "") => facts.search && facts.hours === undefined && figure(said) === facts.seconds,
      ],
      [
        /^It stopped after (\d+) s\.$/,
        (facts, said = "") => !facts.search && facts.hours === undefined && figure(said) === facts.seconds,
      ],
    ],
  );
});

it("TRUTH-1 a list that was stopped offers a shorter time only, and promises no speed", () => {
  holdSentences(
    fc.record({
      from: fc.constantFrom(undefined, "2026-11-01T00:00:00.000000Z"),
      covered: fc.constantFrom(undefined, 1, 24, 168),
    }),
    ({ from, covered }) => {
      const hours = lookedHours({ from }, covered);
      return [narrowerWords(hours), stoppedWords({ seconds: 3, hours }, narrowerWords(hours))];
    },
    [
      [/^A shorter time is less to look at\.$/, ({ from, covered }) => from !== undefined || covered === 1],
      [
        /^The last hour is less to look at; your other filters stay\.$/,
        ({ from, covered }) => from === undefined && covered === 24,
      ],
      [
        /^The last 24 hours are less to look at; your other filters stay\.$/,
        ({ from, covered }) => from === undefined && covered !== 1 && covered !== 24,
      ],
      [/^It stopped after 3 s\. A shorter/, ({ from }) => from !== undefined],
      [/^It looked at all that is kept and /, ({ from, covered }) => from === undefined && covered === undefined],
      [/^It looked at 7 days and .* The last 24 hours /, ({ from, covered }) => from === undefined && covered === 168],
      [/^It looked at 24 h and .* The last hour /, ({ from, covered }) => from === undefined && covered === 24],
      [/^It looked at 1 h and .* A shorter/, ({ from, covered }) => from === undefined && covered === 1],
    ],
  );
});

it("TRUTH-1 a list without rows says by what it was narrowed, and a search where it looked", () => {
  const facts = fc.record({
    filters: fc.integer({ min: 0, max: 3 }),
    query: fc.constantFrom("ord-1", "12.00 EUR"),
    // Tenants beside the chosen one, and how many of them are searched at the most.
    others: fc.constantFrom(0, 1, 20, 21, 499),
    lookedAt: fc.constantFrom(undefined, 500, 20_000),
    count: fc.constantFrom(1_000, 10_000),
  });
  holdSentences(
    facts,
    ({ filters, query, others, lookedAt, count }) => {
      const tooMany = tooManyWords({ count, most: 10_000 });
      return [
        noConflict({ filters, time: "24 hours" }),
        noOperation({ filters }),
        notFound({ query, searched: Math.min(20, others), left: Math.max(0, others - 20) }),
        lookedWords({ lookedAt }) ?? "all were looked at",
        tooMany.title,
        tooMany.text,
      ];
    },
    [
      [/^No conflict matches this filter in 24 hours\.$/, ({ filters }) => filters === 1],
      [/^No conflict matches these filters in 24 hours\.$/, ({ filters }) => filters > 1],
      [/^No key was used for two commands in 24 hours\.$/, ({ filters }) => filters === 0],
      [/^No operation in this time\.$/, ({ filters }) => filters === 0],
      [/^No operation matches this filter\.$/, ({ filters }) => filters === 1],
      [
        /^No operation matches these (\d+) filters\.$/,
        ({ filters }, said = "") => filters > 1 && figure(said) === filters,
      ],
      [
        /^Looked for “(.+)” among keys, .+ of this tenant\. Only whole names match, .+\.$/,
        ({ query, others }, said) => said === query && others === 0,
      ],
      [
        /^Looked for “(.+)” among keys, .+ of every tenant that you may see\. Only whole names match, .+\.$/,
        ({ query, others }, said) => said === query && others > 0 && others <= 20,
      ],
      [
        /^Looked for “(.+)” among keys, .+ of this tenant and (\d+) others, not of all\. Only whole names match, .+\.$/,
        ({ query, others }, said, searched = "") => said === query && others > 20 && figure(searched) === 20,
      ],
      [
        /^Only the newest ([\d,]+) payments were looked at: .+\.$/,
        ({ lookedAt }, said = "") => figure(said) === lookedAt,
      ],
      [/^all were looked at$/, ({ lookedAt }) => lookedAt === undefined],
      [/^More than ([\d,]+) messages match\.$/, ({ count }, said = "") => figure(said) === count],
      [
        /^Only the newest ([\d,]+) are grouped and counted here, and one plan holds 10,000\. .+\.$/,
        ({ count }, said = "") => figure(said) === count,
      ],
    ],
  );
});

it("TRUTH-1 a walk says how far it has come, and a checklist over how much time it looked", () => {
  const last = fc.option(
    fc.record({ checkedTo: fc.constantFrom("0", "4000"), head: fc.constantFrom("4000", "12000") }),
    {
      nil: undefined,
    },
  );
  holdSentences(
    fc.record({ last, hours: fc.constantFrom(1, 24) }),
    (of) => [walkWords(of.last), checklistLede(of.hours)],
    [
      [/^Checking the chain\.$/, (of) => of.last === undefined],
      [
        /^([\d,]+) of ([\d,]+) entries\.$/,
        (of, done = "", all = "") =>
          figure(done) === Number(of.last?.checkedTo) && figure(all) === Number(of.last?.head),
      ],
      [/^Checked against .+ of the last (\d+) hours?\. Reads only\.$/, (of, said = "") => figure(said) === of.hours],
    ],
  );
});
