import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adviceFor, noAdviceWords, reportMessage } from "./client-advice";
import { buildReport, byWorst, rangeStart } from "./client-report";
import { CLIENT_CLAIMS, clientsLede, clientsVerdict } from "./client-verdict";
import { holding } from "@/domain/page-claim";
import type { MeasureSum, RefusalSum } from "@/domain/metrics/client-sums";

const measures = (counts: Readonly<Record<string, number | readonly [number, number]>>): MeasureSum[] =>
  Object.entries(counts).map(([measure, said]) => {
    const [count, sum] = typeof said === "number" ? [said, 0] : said;
    return { client: "till", measure, count, sum, top: sum };
  });
const report = (counts: Parameters<typeof measures>[0], refused: Readonly<Record<string, number>> = {}) =>
  buildReport({
    client: "till",
    registered: true,
    range: "24h",
    measures: measures(counts),
    refusals: Object.entries(refused).map(([code, count]): RefusalSum => ({ client: "till", code, count })),
  });

describe("REPORT-1 the report card of a client", () => {
  it("says in plain words that it reuses keys across bodies", () => {
    const result = report({
      "outcome:executed": 400,
      "outcome:conflict": 14,
      "conflict:amount": 14,
      conflict_keys: 9,
      again: 20,
      fast: 2,
    });
    expect(result.verdict.text).toBe(
      "Reuses keys across bodies: 14 conflicts on 9 keys in 24 h, all of them other amounts.",
    );
    expect(result.verdict.clauses.map(({ tone }) => tone)).toEqual(["conflict"]);
    expect(result.conflictRate).toBeCloseTo(14 / 414);
  });

  it("counts a key whose first conflict was before the range at least once", () => {
    expect(report({ "outcome:conflict": 1, "conflict:amount": 1 }).verdict.text).toBe(
      "Reuses keys across bodies: 1 conflict on 1 key in 24 h, another amount.",
    );
  });

  it.each([
    [{ "idempotency.key_missing": 3 }, {}, "Sends no key: 3 requests refused."],
    [{ "idempotency.key_invalid": 1 }, {}, "Sends keys that cannot be read: 1 request refused."],
    [{}, { again: 40, fast: 20, "outcome:replayed": 40 }, "Retries too fast: 20 retries in less than 100 ms."],
    [
      {},
      { again: 1, after_window: 1, "outcome:expired_retry": 1 },
      "Retries too late: 1 request came after the key's window.",
    ],
    [{ "validation.body": 5 }, { "outcome:executed": 5 }, "5 of 10 requests were invalid."],
    [{}, { "outcome:executed": 3 }, "Uses its keys well: 3 requests, none came again."],
    [
      {},
      { "outcome:executed": 90, "outcome:replayed": 10, again: 10, fast: 4 },
      "Uses its keys well: 100 requests, 10 retries, 4 of them within 100 ms.",
    ],
    [
      {},
      { "outcome:executed": 90, "outcome:in_progress": 2, "outcome:replayed": 8, again: 10 },
      "Uses its keys well: 100 requests, 10 retries, 2 while the first was in progress.",
    ],
    [
      {},
      { "outcome:executed": 90, "outcome:replayed": 10, again: 10 },
      "Uses its keys well: 100 requests, 10 retries, each as it should be.",
    ],
    [
      {},
      { "outcome:conflict": 2, "conflict:foreign": 2, conflict_keys: 1 },
      "Uses keys of other clients: 2 conflicts on 1 key in 24 h.",
    ],
    [{}, {}, "No request in 24 h."],
  ])("%j and %j: %s", (refused, counts, text) => {
    expect(report(counts, refused).verdict.text).toBe(text);
  });

  it("reads the distance of reuse from powers of two, the longest exactly", () => {
    const { reuse } = report({
      "distance:06": [8, 800],
      "distance:10": [1, 1_500],
      "distance:16": [1, 90_000],
      distance_max: [1, 90_000],
    });
    expect(reuse).toEqual({ medianMs: 100, p95Ms: 90_000, maxMs: 90_000 });
    expect(report({}).reuse).toBeUndefined();
  });

  it("puts the client with two commands under one key first, then those without a key, then the hasty", () => {
    const named = (client: string, one: ReturnType<typeof report>) => ({ ...one, client });
    const list = [
      named("busy", report({ "outcome:executed": 9_000 })),
      named("hasty", report({ fast: 8, again: 8 })),
      named("keyless", report({}, { "idempotency.key_missing": 2 })),
      named("reuser", report({ "outcome:conflict": 2, "conflict:amount": 2 })),
    ].sort(byWorst);
    expect(list.map(({ client }) => client)).toEqual(["reuser", "keyless", "hasty", "busy"]);
    expect(clientsVerdict(list, "24h").text).toBe(
      "4 clients. reuser reuses keys across bodies. keyless sends requests without a usable key. hasty retries too fast.",
    );
  });

  it("says each fault with its count, and none that is not there", () => {
    const counts = fc.record({
      "outcome:executed": fc.nat(50),
      "outcome:conflict": fc.nat(3),
      "conflict:foreign": fc.nat(3),
      "outcome:in_progress": fc.nat(8),
      again: fc.nat(30),
      fast: fc.nat(9),
      after_window: fc.nat(2),
    });
    const refused = fc.record({
      "idempotency.key_missing": fc.nat(2),
      "idempotency.key_invalid": fc.nat(2),
      "validation.body": fc.nat(4),
    });
    fc.assert(
      fc.property(counts, refused, (seen, doors) => {
        const one = report(seen, doors);
        const ranged = { ...one, range: "24h" } as const;
        const said = holding(CLIENT_CLAIMS, ranged);
        const says = new Map(said.map((claim) => [claim.name, claim.words(ranged)]));
        const expected: Readonly<Record<string, number>> = {
          "no key": doors["idempotency.key_missing"],
          "unusable key": doors["idempotency.key_invalid"],
          "too late": seen.after_window,
        };
        for (const [name, count] of Object.entries(expected)) {
          expect(says.has(name), name).toBe(count > 0);
          if (count > 0) expect(says.get(name)).toContain(`: ${String(count)} request`);
        }
        const conflicts = seen["outcome:conflict"];
        expect(says.has("reuses keys")).toBe(conflicts > seen["conflict:foreign"]);
        expect(says.has("keys of others")).toBe(conflicts > 0 && conflicts <= seen["conflict:foreign"]);
        // What is fine is said of whoever has no fault, and of nobody else.
        expect(says.has("uses its keys well") || says.has("no request")).toBe(
          one.verdict.clauses.every(({ tone }) => tone === "fine"),
        );
        expect(
          adviceFor(one)
            .map(({ name }) => name)
            .includes("conflict"),
        ).toBe(conflicts > 0);
      }),
      { numRuns: 200 },
    );
  });

  it("REPORT-1 the text to a client has the counts of the report", () => {
    const counts = fc.record({
      "outcome:executed": fc.nat(50),
      "outcome:replayed": fc.nat(9),
      "outcome:conflict": fc.nat(2),
      "outcome:in_progress": fc.nat(8),
      "outcome:expired_retry": fc.nat(3),
      again: fc.nat(9),
    });
    const doors = fc.record({ "idempotency.key_missing": fc.nat(2), "idempotency.key_invalid": fc.nat(2) });
    fc.assert(
      fc.property(counts, doors, fc.boolean(), (seen, refused, reused) => {
        const distance = reused ? { "distance:10": [1, 1_500], distance_max: [1, 1_500] } : {};
        const one = report({ ...seen, ...distance } as Parameters<typeof report>[0], refused);
        const frame = { range: "24h", at: "2026-11-19T14:43:20.000000Z", tenant: "acme" } as const;
        const text = reportMessage(one, adviceFor(one), frame);
        expect(text).toMatch(
          /^How till used idempotency keys at acme, .* up to 19 Nov 2026, 14:43 UTC\.\n\nRequests: /,
        );
        const said =
          /Requests: (\d+)\. Created (\d+), replayed (\d+), conflicts (\d+), in flight (\d+), expired retries (\d+)\./;
        const answers = Object.values(seen).slice(0, 5);
        const all = [...answers, ...Object.values(refused)].reduce((total, each) => total + each, 0);
        expect(said.exec(text)?.slice(1).map(Number)).toEqual([all, ...answers]);
        expect(/no key (\d+), unusable key (\d+), invalid (\d+)\./.exec(text)?.slice(1).map(Number)).toEqual([
          ...Object.values(refused),
          0,
        ]);
        expect(text.includes("A key came again about ")).toBe(reused);
        expect(text.endsWith("No conflict moved money: each was refused before anything ran.")).toBe(
          seen["outcome:conflict"] > 0,
        );
        const silent = adviceFor(one).length === 0;
        const some = one.fast + one.inFlight + one.invalid > 0;
        expect(text.includes("No request to judge.")).toBe(silent && all === 0);
        expect(text.includes("Nothing came often enough to ask for a change.")).toBe(silent && all > 0 && some);
        expect(text.includes("Nothing to change.")).toBe(silent && all > 0 && !some);
        // Of whom nothing was counted, nothing is known.
        expect(noAdviceWords(one)).toBe(
          all === 0
            ? "None of its requests was counted in this time."
            : "Nothing: what was counted of it asks for no change.",
        );
      }),
    );
  });

  it("says of the list what each client's own page says, and good of nobody who has a fault or sent nothing", () => {
    const one = fc.record({
      executed: fc.nat(3),
      conflicts: fc.constantFrom(0, 0, 0, 1, 2),
      foreign: fc.nat(2),
      late: fc.constantFrom(0, 0, 0, 1),
      fast: fc.constantFrom(0, 0, 0, 9),
      limited: fc.constantFrom(0, 0, 0, 1),
      noKey: fc.constantFrom(0, 0, 0, 1),
      invalid: fc.constantFrom(0, 0, 0, 1),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), (cases) => {
        const list = cases.map((each, index) => ({
          ...report(
            {
              "outcome:executed": each.executed,
              "outcome:conflict": each.conflicts,
              "conflict:foreign": Math.min(each.foreign, each.conflicts),
              again: each.fast,
              fast: each.fast,
              after_window: each.late,
            },
            {
              "idempotency.key_missing": each.noKey,
              "rate_limit.exceeded": each.limited,
              "validation.body": each.invalid,
            },
          ),
          client: `client-${String(index)}`,
        }));
        const cut = clientsVerdict(list, "24h", true).text;
        expect(cut).toMatch(/^\d+ clients are ranked, not all\./);
        expect(/keys well|No request/.test(cut), cut).toBe(false);
        const text = clientsVerdict(list, "24h").text;
        /** By the pages of the clients themselves, read as sentences. */
        const those = (words: RegExp): string[] =>
          list.filter(({ verdict }) => words.test(verdict.text)).map(({ client }) => client);
        const faults: readonly (readonly [page: RegExp, one: string, several: string])[] = [
          [/Reuses keys across bodies/, "reuses keys across bodies", "reuse keys across bodies"],
          [/Uses keys of other clients/, "uses keys of other clients", "use keys of other clients"],
          [/Sends no key/, "sends requests without a usable key", "send requests without a usable key"],
          [/Retries too late/, "retries too late", "retry too late"],
          [/Retries too fast/, "retries too fast", "retry too fast"],
          [/Was over its limit/, "was over its limit", "were over their limits"],
          [/were invalid/, "sends many invalid requests", "send many invalid requests"],
        ];
        for (const [page, verb, verbs] of faults) {
          const who = those(page);
          expect(text.includes(` ${verb}.`), `${verb}: ${text}`).toBe(who.length === 1);
          expect(text.includes(` ${verbs}.`), `${verbs}: ${text}`).toBe(who.length > 1);
          if (who.length === 1) expect(text).toContain(`${who[0] ?? ""} ${verb}.`);
          if (who.length > 1) expect(text).toContain(`${String(who.length)} ${verbs}.`);
        }
        const well = those(/Uses its keys well/);
        const idle = those(/^No request/);
        expect(/ keys well/.test(text), text).toBe(well.length > 0 && well.length + idle.length === list.length);
        expect(/^\S+ clients?\. (All|It) used/.test(text), text).toBe(well.length > 0 && well.length === list.length);
        expect(text.endsWith("No request in 24 h."), text).toBe(list.length > 0 && idle.length === list.length);
      }),
      { numRuns: 300 },
    );
  });

  it("calls a list the worst first only where every name is in it", () => {
    expect(clientsLede({ cut: false })).toBe("How programs use their idempotency keys, worst first.");
    expect(clientsLede({ cut: true })).toBe(
      "How programs use their idempotency keys: those that are kept here and the first 200 names, worst of these first.",
    );
  });

  it("covers whole hours, the one that runs included", () => {
    expect(rangeStart("2026-11-19T14:43:20.000000Z", "24h")).toBe("2026-11-18T15:00:00.000Z");
    expect(rangeStart("2026-11-19T14:43:20.000000Z", "7d")).toBe("2026-11-12T15:00:00.000Z");
  });

  it("writes a text to send with what to change and nothing of a key or a body", () => {
    const result = report(
      { "outcome:executed": 5, "outcome:conflict": 2, "conflict:amount": 2, conflict_keys: 1 },
      { "idempotency.key_missing": 1 },
    );
    const advice = adviceFor(result);
    expect(advice.map(({ name }) => name)).toEqual(["conflict", "no_key"]);
    const text = reportMessage(result, advice, { range: "24h", at: "2026-11-19T14:43:20Z", tenant: "acme" });
    expect(text).toContain("How till used idempotency keys at acme, 24 h up to 19 Nov 2026, 14:43 UTC.");
    expect(text).toContain(
      "1. 2 requests used a key that stands for another request. Make one key per business action",
    );
    expect(text).toContain("no key 1");
    expect(text.split("\n").at(-1)).toBe("No conflict moved money: each was refused before anything ran.");
  });
});
