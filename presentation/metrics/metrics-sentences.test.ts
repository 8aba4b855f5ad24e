import fc from "fast-check";
import { expect, it } from "vitest";
import { displayMoney } from "@/domain/money";
import type { MeasureChart, MeasureName, MetricsView } from "../views/metrics";
import type { InvariantsView } from "../views/overview";
import { invariantsVerdict, uncheckedWords } from "./invariants-verdict";
import { metricsVerdict } from "./metrics-verdict";
import { doubtVerdict } from "./overview-verdict";
import { sentTwice } from "./sent-twice";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** "1 lease is", "2 leases are". */
const be = (count: number, one: string): string => `${String(count)} ${one}${count === 1 ? " is" : "s are"}`;

it("TRUTH-1 what is in doubt, over generated counts and sums", () => {
  const facts = fc.record({
    unknown: fc.nat(3),
    stale: fc.nat(2),
    sums: fc.uniqueArray(fc.constantFrom("EUR", "USD", "JPY"), { maxLength: 3 }),
    minutes: fc.integer({ min: 2, max: 59 }),
  });
  fc.assert(
    fc.property(facts, ({ unknown, stale, sums, minutes }) => {
      const totals = (unknown === 0 ? [] : sums).map((currency) => ({
        count: 1,
        money: { minor: "100", currency, amount: "1", display: displayMoney(100n, currency) },
      }));
      const { text } = doubtVerdict({ unknown, stale, totals, oldestMs: minutes * MINUTE });
      expect(text.includes("Nothing is unknown and no lease is stale.")).toBe(unknown + stale === 0);
      expect(text.includes("may have moved money.")).toBe(unknown > 0);
      if (unknown > 0) {
        expect(text).toMatch(new RegExp(`^${String(unknown)} operations? may have moved money\\.`));
        expect(text).toContain(`in doubt, the oldest for ${String(minutes)} minutes.`);
        expect(text.includes("The outcome is in doubt")).toBe(totals.length === 0);
        for (const { money } of totals) expect(text).toContain(money.display);
        expect(text.includes(" are in doubt,")).toBe(totals.length > 1);
      }
      expect(text.includes("stale.") && unknown + stale > 0).toBe(stale > 0);
      if (stale > 0) expect(text).toContain(`${be(stale, "lease")} stale.`);
    }),
  );
});

it("TRUTH-1 what the last checks found, over generated runs", () => {
  const runs = fc.array(fc.constantFrom("held", "violated", "stopped", "never"), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(runs, fc.constantFrom(undefined, 1, 4, 6, 90), fc.boolean(), (found, minutes, worker) => {
      const count = (which: string): number => found.filter((each) => each === which).length;
      const rows = found.map((each) => ({
        checked: each === "held" || each === "violated",
        holds: each === "held",
        ageMs: each === "never" ? undefined : MINUTE,
      }));
      const at = "2026-11-19T14:43:20.000Z";
      const checkedAt = minutes === undefined ? undefined : new Date(Date.parse(at) - minutes * MINUTE).toISOString();
      const clauses = invariantsVerdict(rows, { at, checkedAt, worker });
      const text = clauses.map((clause) => clause.text).join(" ");
      if (minutes === undefined) {
        expect(text).toBe(`Nothing was checked yet.${worker ? "" : " No worker runs the checks."}`);
        return;
      }
      expect(/^All \d+ invariants? hold\./.test(text)).toBe(count("held") === found.length);
      expect(/(\d+) of (\d+) invariants? (?:is|are) violated\./.exec(text)?.slice(1).map(Number)).toEqual(
        count("violated") === 0 ? undefined : [count("violated"), found.length],
      );
      expect(/(?:^|\. )(\d+) hold\./.exec(text)?.[1]).toBe(
        count("held") < found.length ? String(count("held")) : undefined,
      );
      expect(Number(/(\d+) could not be checked in time\./.exec(text)?.[1] ?? 0)).toBe(count("stopped"));
      expect(Number(/(\d+) not checked yet\./.exec(text)?.[1] ?? 0)).toBe(count("never"));
      expect(text.includes("The last check is")).toBe(minutes > 5);
      expect(text.includes("no worker runs the checks")).toBe(minutes > 5 && !worker);
      expect(clauses.some(({ tone }) => tone === "broken")).toBe(count("violated") > 0);
    }),
  );
});

it("TRUTH-1 says that a check took too long only of one that was begun, over generated runs", () => {
  const runs = fc.array(
    fc
      .record({ checked: fc.boolean(), ageMs: fc.constantFrom(undefined, MINUTE) })
      .filter((run) => !run.checked || run.ageMs !== undefined),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(runs, (rows) => {
      const text = uncheckedWords(rows);
      const ages = rows.flatMap((row) => (row.checked ? [] : [row.ageMs ?? 0]));
      expect(text === undefined).toBe(ages.length === 0);
      expect(text?.includes("took too long") ?? false).toBe(ages.includes(MINUTE));
      expect(/[Nn]ot checked yet/.test(text ?? "")).toBe(ages.includes(0));
    }),
  );
});

it("TRUTH-1 whether something was sent twice, over generated runs", () => {
  const run = fc.record({
    last: fc.constantFrom("never", "stopped", "done"),
    violations: fc.constantFrom(0, 0, 1, 3),
    capped: fc.boolean(),
    ageMs: fc.constantFrom(MINUTE, 4 * MINUTE, 6 * MINUTE, HOUR),
  });
  fc.assert(
    fc.property(run, ({ last, violations, capped, ageMs }) => {
      const checked = last === "done";
      const row = { name: "one_execution_per_key", label: "One", checked, holds: checked && violations === 0 };
      const view: Pick<InvariantsView, "windowHours" | "rows"> = {
        windowHours: 24,
        rows: [
          {
            ...row,
            violations,
            capped: capped && violations > 1,
            ageMs: last === "never" ? undefined : ageMs,
            samples: [],
          },
        ],
      };
      const text = sentTwice(view);
      expect(text.startsWith("Nothing has been sent twice:")).toBe(checked && violations === 0 && ageMs <= 5 * MINUTE);
      expect(text.startsWith("When it was last checked, ")).toBe(checked && violations === 0 && ageMs > 5 * MINUTE);
      const found = /^(More than )?(\d+) keys? (?:has|have) more than one execution\.$/.exec(text);
      expect(found !== null).toBe(checked && violations > 0);
      if (found !== null)
        expect([found[1] !== undefined, Number(found[2])]).toEqual([capped && violations > 1, violations]);
      expect(text.endsWith("was not checked yet.")).toBe(last === "never");
      expect(text.endsWith("could not be checked in time.")).toBe(last === "stopped");
    }),
  );
});

it("TRUTH-1 what stood out in the charts, over generated totals", () => {
  const series = (total: number, exact?: string): MeasureChart["series"] => [
    {
      label: "all",
      slot: 0,
      values: [],
      now: null,
      total,
      ...(exact !== undefined && { exact: { values: [], now: null, total: exact } }),
    },
  ];
  const chart = (name: MeasureName, total: number, more: Partial<MeasureChart> = {}): MeasureChart => ({
    name,
    section: "answers",
    title: name,
    note: "",
    unit: "count",
    series: series(total),
    ...more,
  });
  const facts = fc.record({
    executed: fc.nat(2),
    replayed: fc.nat(2),
    unknown: fc.nat(2),
    conflict: fc.nat(2),
    euros: fc.constantFrom(0, 0, 700),
    outbox: fc.constantFrom(0, MINUTE, 3 * MINUTE),
    inbox: fc.constantFrom(0, MINUTE, 5 * MINUTE),
    grouped: fc.boolean(),
    rolledUp: fc.constantFrom(true, true, true, false),
  });
  fc.assert(
    fc.property(facts, (all) => {
      const late = { threshold: { value: 2 * MINUTE, label: "late" } };
      const view = {
        charts: [
          ...(["executed", "replayed", "unknown", "conflict"] as const).map((name) => chart(name, all[name])),
          chart("suppressed", all.euros, { currency: "EUR", series: series(all.euros, String(all.euros)) }),
          chart("oldest_outbox", all.outbox, late),
          chart("oldest_inbox", all.inbox, late),
        ],
        group: all.grouped ? "client" : undefined,
        rolledUpMs: all.rolledUp ? 1 : undefined,
      } as unknown as MetricsView;
      const text = metricsVerdict(view)
        .map((clause) => clause.text)
        .join(" ");
      if (!all.rolledUp) {
        expect(text).toBe("");
        return;
      }
      const nothing =
        all.executed + all.replayed + all.unknown + all.conflict + all.euros === 0 &&
        Math.max(all.outbox, all.inbox) <= 2 * MINUTE;
      expect(text.includes("No request was answered in this time.")).toBe(nothing && !all.grouped);
      expect(text.includes(`${String(all.executed)} created, ${String(all.replayed)} replayed.`)).toBe(
        !nothing || all.grouped,
      );
      expect(text.includes("Not charged twice: €7.00.")).toBe(all.euros > 0);
      expect(Number(/(\d+) became unknown\./.exec(text)?.[1] ?? 0)).toBe(all.unknown);
      expect(Number(/(\d+) conflicts? (?:was|were) refused\./.exec(text)?.[1] ?? 0)).toBe(all.conflict);
      expect(text.includes("The outbox was late by up to 3 min.")).toBe(all.outbox > 2 * MINUTE);
      expect(text.includes("The inbox was late by up to 5 min.")).toBe(all.inbox > 2 * MINUTE);
    }),
    { numRuns: 400 },
  );
});
