import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CLEAR_MS,
  decideAlerts,
  HOLD_MS,
  levelOf,
  type AlertFinding,
  type AlertMeasure,
  type KeptAlert,
} from "./decide";

const T0 = Date.parse("2026-11-28T06:00:00Z");
const at = (ms: number): Date => new Date(T0 + ms);
const finding = (value: bigint | undefined, limit = 1n): AlertFinding => ({
  ...{ condition: "dead_letters", subject: "", value, limit, facts: {} },
});
const measure = (findings: readonly AlertFinding[], more: Partial<AlertMeasure> = {}): AlertMeasure => ({
  ...{ condition: "dead_letters", enabled: true, findings, whole: true },
  ...more,
});
const kept = (changes: Partial<KeptAlert> = {}): KeptAlert => ({
  ...{ id: "a", condition: "dead_letters", subject: "", level: 0, value: 1n, limit: 1n, facts: {} },
  ...{ seenAt: at(0), clearSince: undefined },
  ...changes,
});
const told = (change: ReturnType<typeof decideAlerts>[number] | undefined): string | undefined =>
  change !== undefined && "tell" in change ? change.tell : undefined;

describe("ALERT-1 what becomes of an alert", () => {
  it("is told once it has lasted, and nobody hears of what settled before", () => {
    expect(decideAlerts([], [measure([finding(3n)])], at(0))).toMatchObject([{ kind: "seen" }]);
    const young = decideAlerts([kept()], [measure([finding(3n)])], at(HOLD_MS - 1));
    expect(young.map(told)).toEqual([undefined]);
    expect(decideAlerts([kept()], [measure([finding(3n)])], at(HOLD_MS))).toMatchObject([{ tell: "opened", level: 2 }]);
    expect(decideAlerts([kept()], [measure([finding(0n)])], at(HOLD_MS))).toMatchObject([{ kind: "forgotten" }]);
  });

  it("is told again only when it is worse: at twice the limit, four times, and so on", () => {
    expect([0n, 9n, 10n, 19n, 20n, 39n, 40n].map((value) => levelOf(value, 10n))).toEqual([0, 0, 1, 1, 2, 2, 3]);
    const open = kept({ level: 2 });
    for (const value of [1n, 2n, 3n]) {
      expect(decideAlerts([open], [measure([finding(value)])], at(HOLD_MS)).map(told)).toEqual([undefined]);
    }
    expect(decideAlerts([open], [measure([finding(4n)])], at(HOLD_MS))).toMatchObject([{ tell: "worse", level: 3 }]);
  });

  it("is resolved once, after it has been over for a while, and what comes back before is the same alert", () => {
    const none = [measure([])];
    const [clearing] = decideAlerts([kept({ level: 1 })], none, at(0));
    expect(clearing).toMatchObject({ kind: "kept", clearSince: at(0) });
    const over = kept({ level: 1, clearSince: at(0) });
    expect(decideAlerts([over], none, at(CLEAR_MS - 1)).map(told)).toEqual([undefined]);
    expect(decideAlerts([over], [measure([finding(1n)])], at(CLEAR_MS - 1))).toMatchObject([
      { kind: "kept", clearSince: undefined, level: 1 },
    ]);
    expect(decideAlerts([over], none, at(CLEAR_MS))).toMatchObject([{ kind: "ended", tell: "resolved" }]);
  });

  it("stays as it is while nobody knows: not measured, not all looked at, or paused", () => {
    const over = kept({ level: 1, clearSince: at(0) });
    for (const unknown of [measure([], { whole: false }), measure([finding(undefined)])])
      expect(decideAlerts([over], [unknown], at(CLEAR_MS))).toEqual([]);
    expect(decideAlerts([], [measure([finding(undefined)])], at(0))).toEqual([]);
  });

  it("is told as turned off where it is not watched any more, and never as resolved", () => {
    const off = [measure([], { enabled: false }), measure([], { watched: ["EUR"] })];
    for (const each of off) {
      expect(decideAlerts([kept({ level: 1 })], [each], at(0))).toMatchObject([{ kind: "ended", tell: "turned_off" }]);
      expect(decideAlerts([kept()], [each], at(0))).toMatchObject([{ kind: "forgotten" }]);
    }
  });

  it("over any course of values: opened first, levels that only grow, one end", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 40n }), { maxLength: 60 }), (values) => {
        let alert: KeptAlert | undefined;
        let last = 0;
        const news: string[] = [];
        values.forEach((value, turn) => {
          const now = at(turn * HOLD_MS);
          const [change] = decideAlerts(alert === undefined ? [] : [alert], [measure([finding(value, 3n)])], now);
          if (change === undefined) return;
          const said = told(change);
          if (said !== undefined) news.push(said);
          if (change.kind === "seen") alert = kept({ seenAt: now });
          else if (change.kind === "kept") {
            if (said === "worse" && change.level <= last) throw new Error("worse is a higher level");
            if (said === "opened" && news.length > 1 && news.at(-2) !== "resolved") throw new Error("opened twice");
            last = change.level;
            alert = { ...change.alert, level: change.level, clearSince: change.clearSince };
          } else alert = undefined;
          if (said === "resolved" && news.at(-2) === "resolved") throw new Error("resolved twice");
        });
      }),
    );
  });
});
