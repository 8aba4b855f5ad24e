import fc from "fast-check";
import { expect, it } from "vitest";
import type { RiskTime } from "@/domain/metrics/risk";
import type { RiskSeries } from "../views/risk";
import { sourceOf, type Difference, type Sources } from "./changes";
import { spokenChart } from "./risk-claims";

const at = (minute: number): string => `2026-11-19T14:${String(minute).padStart(2, "0")}:00.000Z`;
const difference = (name: string, read: string, kind: string, value: number): Difference =>
  ({ measure: { name, read, kind }, value, usual: 0, distance: 9 }) as unknown as Difference;
const NONE: Sources = { answers: [], begun: [], becameUnknown: 0, peaks: [] };
const rows = fc.array(
  fc.record({
    outcome: fc.constant("conflict"),
    operation: fc.constantFrom("payments.create", "refunds.create"),
    client: fc.constantFrom("till", "erp", "app", ""),
    count: fc.integer({ min: 1, max: 9 }),
    slowest: fc.constant(at(3)),
  }),
  { minLength: 1, maxLength: 6 },
);

it("TRUTH-1 says from whom a change comes: the share of one, over generated answers, read whole or not", () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(0, 0, 5), (answers, unread) => {
      const read = answers.reduce((sum, { count }) => sum + count, 0);
      const of = (client: string): number =>
        answers.reduce((sum, row) => sum + (row.client === client ? row.count : 0), 0);
      const clients = [...new Set(answers.map(({ client }) => client))];
      const named = clients.filter((client) => client !== "");
      const all = read + unread;
      const { words, client } = sourceOf(difference("conflict", "conflict", "count", all), { ...NONE, answers });
      const top = Math.max(...clients.map(of));
      const who = /^All from (\w+)\./.exec(words)?.[1];
      if (who !== undefined) expect([of(who), client]).toEqual([all, who]);
      else expect(client).toBeUndefined();
      expect(words.startsWith("Of no client.")).toBe(of("") === all);
      const share = /^(\d+) of (\d+) from (till|erp|app|no client)\./.exec(words);
      expect(share !== null).toBe(top < all && top * 2 > all);
      if (share !== null)
        expect(share.slice(1, 3).map(Number)).toEqual([of(share[3] === "no client" ? "" : (share[3] ?? "")), all]);
      const many = /^(More than )?(\d+) clients?( and some without a name)?, none with more than half\./.exec(words);
      expect(many !== null).toBe(top * 2 <= all);
      if (many !== null)
        expect([many[1] !== undefined, Number(many[2]), many[3] !== undefined]).toEqual([
          unread > 0,
          named.length,
          clients.includes(""),
        ]);
      const one = /All (\S+\.create)\.$/.exec(words)?.[1];
      expect(one !== undefined).toBe(unread === 0 && new Set(answers.map(({ operation }) => operation)).size === 1);
      if (one !== undefined) expect(answers.every(({ operation }) => operation === one)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("TRUTH-1 says when what is in doubt was sent, and to whom, over what is kept of it", () => {
  const begun = fc
    .uniqueArray(
      fc.record({
        provider: fc.constantFrom("northpay", "sandbox", undefined),
        count: fc.integer({ min: 1, max: 5 }),
        first: fc.integer({ min: 1, max: 20 }),
        length: fc.nat(20),
      }),
      { maxLength: 3, selector: ({ provider }) => provider },
    )
    .map((all) => all.sort((a, b) => b.count - a.count));
  fc.assert(
    fc.property(begun, fc.constantFrom(0, 0, 4), fc.nat(12), (found, unkept, operations) => {
      const kept = found.reduce((sum, { count }) => sum + count, 0);
      const value = kept + unkept;
      const { words } = sourceOf(difference("unknown", "unknown_entered", "count", value), {
        ...NONE,
        becameUnknown: operations,
        begun: found.map(({ provider, count, first, length }) => ({
          provider,
          count,
          first: at(first),
          last: at(first + length),
        })),
      });
      const [most] = found;
      if (value === 0) {
        expect(words).toBe("");
        return;
      }
      const often = /In (\d+) operations?, some of them more than once\.$/.exec(words);
      expect(often !== null).toBe(operations > 0 && operations < value);
      if (often !== null) expect(Number(often[1])).toBe(operations);
      const time = /(?:at|,| )(?: at)? ?14:(\d\d):00(?: to 14:(\d\d):00)? UTC\./.exec(words);
      expect(time !== null).toBe(most !== undefined);
      if (most === undefined || time === null) return;
      const to = /(\d+) of (\d+)( doubts)? sent to (\w+),/.exec(words);
      const about = to === null ? found : [most];
      expect([Number(time[1]), Number(time[2] ?? time[1])]).toEqual([
        Math.min(...about.map(({ first }) => first)),
        Math.max(...about.map(({ first, length }) => first + length)),
      ]);
      expect(words.startsWith("Began ")).toBe(most.provider === undefined);
      expect(words.startsWith("All sent to ")).toBe(most.provider !== undefined && found.length === 1 && unkept === 0);
      if (to !== null)
        expect([Number(to[1]), Number(to[2]), to[3] !== undefined, to[4]]).toEqual([
          most.count,
          kept,
          unkept > 0,
          most.provider,
        ]);
      expect(to !== null).toBe(most.provider !== undefined && found.length > 1);
    }),
    { numRuns: 500 },
  );
});

it("TRUTH-1 names the slowest operation, and when a gauge was highest", () => {
  const answers = fc.array(
    fc.record({
      outcome: fc.constantFrom("executed", "replayed"),
      operation: fc.constantFrom("payments.create", "refunds.create"),
      client: fc.constant("till"),
      count: fc.constant(1),
      p95: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
      slowest: fc.integer({ min: 0, max: 59 }).map(at),
    }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(answers, fc.integer({ min: 0, max: 59 }), fc.boolean(), (all, minute, measured) => {
      const known = all.filter(({ outcome, p95 }) => outcome === "executed" && p95 !== undefined);
      const top = Math.max(0, ...known.map(({ p95 = 0 }) => p95));
      const { words } = sourceOf(difference("first_answer", "first_answer", "ms", 5), { ...NONE, answers: all });
      const said = /^Highest in (\S+), at (14:\d\d:\d\d) UTC\.$/.exec(words);
      expect(said !== null).toBe(known.length > 0);
      if (said !== null)
        expect(
          known.some((row) => row.p95 === top && row.operation === said[1] && row.slowest.slice(11, 19) === said[2]),
        ).toBe(true);
      const peaks = measured ? [{ name: "dead_letters", at: at(minute) }] : [];
      expect(sourceOf(difference("dead_letters", "dead_letters", "gauge", 5), { ...NONE, peaks }).words).toBe(
        measured ? `Highest at ${at(minute).slice(11, 19)} UTC.` : "",
      );
    }),
  );
});

it("RISK-6 the chart for a screen reader: until when nothing, the most, and its end", () => {
  const counts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(counts, fc.nat(2), fc.boolean(), (found, unknown, live) => {
      const points = found.map((_, index) => at(index));
      const time = { range: "1h", from: at(0), to: points.at(-1), stepSeconds: 60, live } as unknown as RiskTime;
      const shown: RiskSeries = {
        currency: "EUR",
        counts: found,
        totals: found.map((count) => String(count * 100)),
        steps: [],
      };
      const facts = {
        time,
        points,
        series: [shown],
        unknown: Math.min(unknown, found.length),
        doubts: 1,
        capped: false,
      };
      // A chart that ended is of another day, which is named.
      const text = spokenChart(facts, shown).replaceAll("19 Nov, ", "");
      const end = found.at(-1) ?? 0;
      const euros = (count: number): string => `€${String(count)}.00`;
      const last = live ? "now" : `at 14:0${String(found.length - 1)}`;
      expect(text.endsWith(`${end === 0 ? "nothing" : euros(end)} ${last}. Times in UTC.`)).toBe(true);
      const begins = found.findIndex((count) => count > 0);
      expect(/nothing until 14:0(\d)/.exec(text)?.[1]).toBe(begins > facts.unknown ? String(begins) : undefined);
      expect(text.includes("not known before")).toBe(facts.unknown > 0);
      const most = Math.max(...found);
      const peak = /(€\d\.00) at 14:0(\d), the most/.exec(text);
      expect(peak !== null).toBe(most > 0 && found.indexOf(most) < found.length - 1);
      if (peak !== null) expect([peak[1], found[Number(peak[2])]]).toEqual([euros(most), most]);
    }),
    { numRuns: 500 },
  );
});
