import { describe, expect, it } from "vitest";
import { approvalNeeded, whoMayAgree } from "./plan-approval";
import { PLAN_STATES, planSeconds, whyNotStep, type PlanFacts, type PlanStep } from "@/domain/plans/plan";
import { groupKey, groupOfKey } from "../filters/dead-letters";
import { parseDeadLetterFilters } from "../filters/parsers";
import { scopeOf } from "@/domain/lists/filters";
import { scopeWords } from "./plan-words";

const plan = (over: Partial<PlanFacts> = {}): PlanFacts => ({
  state: "ready",
  waiting: 3,
  again: 3,
  ...over,
});

describe("PLAN-9 a plan's steps", () => {
  const offered: Readonly<Record<PlanStep, readonly string[]>> = {
    start: ["ready"],
    decide: ["awaiting_approval"],
    abort: ["ready", "awaiting_approval", "running"],
    rerun: ["rejected", "aborted", "done"],
    ask: ["ready", "awaiting_approval"],
  };
  it.each(Object.entries(offered))("%s is offered in %j, and says why not elsewhere", (step, states) => {
    for (const state of PLAN_STATES) {
      const why = whyNotStep(step as PlanStep, plan({ state }));
      expect(why === undefined, state).toBe(states.includes(state));
      if (why !== undefined) expect(why).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("whoever asked cannot agree, a plan that does nothing cannot start, and one that left nothing is not run again", () => {
    expect(whyNotStep("decide", plan({ state: "awaiting_approval", own: { by: "self" } }))).toContain("another person");
    expect(whyNotStep("decide", plan({ state: "awaiting_approval", own: { by: "key" } }))).toContain("another person");
    expect(whyNotStep("decide", plan({ state: "awaiting_approval", expired: true }))).toContain("expired");
    expect(whyNotStep("decide", plan({ state: "awaiting_approval", expired: true, own: { by: "self" } }))).toContain(
      "expired",
    );
    expect(whyNotStep("start", plan({ expired: true }))).toContain("expired");
    expect(whyNotStep("start", plan({ state: "awaiting_approval", expired: true }))).toContain("expired");
    expect(whyNotStep("start", plan({ state: "awaiting_approval" }))).toBe("A second person must approve first.");
    for (const state of ["ready", "running"] as const)
      expect(whyNotStep("decide", plan({ state }))).toBe("It waits for nobody's approval.");
    expect(whyNotStep("start", plan({ waiting: 0 }))).toBe("None of its rows would act.");
    expect(whyNotStep("rerun", plan({ state: "done", again: 0 }))).toBe("None of its rows would act now.");
  });

  const eur = (minor: bigint) => [{ currency: "EUR", minor }];
  const rows = (acting: number) => ({ acting, amounts: [] });

  it("asks for a second person from its size on, earlier for what cannot be taken back, and says how much is over", () => {
    expect(approvalNeeded("requeue_dead_letters", rows(99))).toBeUndefined();
    expect(approvalNeeded("requeue_dead_letters", rows(100))).toBe(
      "100 rows would act: 1 more than the 99 that one person may let act alone.",
    );
    expect(approvalNeeded("discard_dead_letters", rows(24))).toBeUndefined();
    expect(approvalNeeded("discard_dead_letters", { acting: 130, amounts: eur(4_861_238n) })).toBe(
      "130 rows would act: 106 more than the 24 that one person may let act alone. " +
        "€48,612.38 is at stake: €38,612.38 above €10,000.00, from which two people decide.",
    );
  });

  it("asks for a second person from an amount of one currency on, where the rows stand for money", () => {
    const one = (minor: bigint) => ({ acting: 1, amounts: eur(minor) });
    expect(approvalNeeded("reconcile_operations", one(999_999n))).toBeUndefined();
    expect(approvalNeeded("reconcile_operations", one(1_000_000n))).toBe(
      "€10,000.00 is at stake: from that amount on two people decide.",
    );
    expect(
      approvalNeeded("reconcile_operations", { acting: 1, amounts: [{ currency: "JPY", minor: 10_000n }] }),
    ).toContain("10,000");
    expect(approvalNeeded("purge_bodies", one(1_000_000n))).toBeUndefined();
  });

  it("counts what the same person may let act besides: a plan in pieces is one plan", () => {
    const others = (plans: number, acting: number, minor = 0n) => ({
      ...{ plans, singles: 0, acting },
      amounts: eur(minor),
    });
    expect(approvalNeeded("discard_dead_letters", rows(18), others(1, 6))).toBeUndefined();
    expect(approvalNeeded("discard_dead_letters", rows(18), others(2, 42))).toBe(
      "18 rows here and 42 in 2 more plans that the same person has ready or ran in the last hour make 60: 36 more than the 24 that one person may let act alone.",
    );
    expect(approvalNeeded("discard_dead_letters", rows(1), others(1, 24))).toMatch(
      /^1 row here and 24 in 1 more plan that/,
    );
    expect(approvalNeeded("reconcile_operations", { acting: 1, amounts: eur(500_000n) }, others(1, 1, 600_000n))).toBe(
      "€5,000.00 here and €6,000.00 in 1 more plan that the same person has ready or ran in the last hour make €11,000.00: €1,000.00 above €10,000.00, from which two people decide.",
    );
    // Of another currency, and of a plan in which nothing acts.
    expect(
      approvalNeeded(
        "reconcile_operations",
        { acting: 1, amounts: [{ currency: "GBP", minor: 500_000n }] },
        others(1, 1, 600_000n),
      ),
    ).toBeUndefined();
    expect(approvalNeeded("discard_dead_letters", rows(0), others(2, 60))).toBeUndefined();
  });

  it("names who may agree, by the policy", () => {
    const asked = (byKey: boolean) => whoMayAgree({ createdBy: "Ada", byKey });
    expect(asked(false)).toBe("An approver or an admin, but not Ada, who asked.");
    expect(asked(true)).toBe(
      "An approver or an admin, but not Ada, who asked, nor anybody who made or holds a key of it.",
    );
    const notSecond = (tied: readonly string[], more = 0) => ({ tied, more, anybody: false });
    const besides = (tied: readonly string[], more?: number) =>
      whoMayAgree({ createdBy: "Ada", byKey: false, notSecond: notSecond(tied, more) });
    expect(besides(["Ben"])).toBe(
      "An approver or an admin, but not Ada, who asked, nor Ben, who counts as the same person.",
    );
    expect(besides(["Ben", "Cleo"], 3)).toBe(
      "An approver or an admin, but not Ada, who asked, nor Ben, Cleo and 3 more, who count as the same person.",
    );
    expect(whoMayAgree({ createdBy: "till", byKey: true, notSecond: { tied: [], more: 0, anybody: true } })).toBe(
      "Nobody: till asked with a key that names no holder, so that anybody may have asked.",
    );
  });

  it("10,000 rows take minutes, not one burst", () => {
    expect(planSeconds(10_000)).toBe(199);
    expect(planSeconds(75)).toBe(1);
    // One turn, and nothing after it.
    expect(planSeconds(25)).toBe(0);
    expect(planSeconds(0)).toBe(0);
  });
});

describe("MESSAGE-5 filters of dead letters", () => {
  it("a group goes through an address and back, whatever its place is called", () => {
    for (const place of ["payments", "webhook:we_1", "a.b~c"]) {
      const group = { side: "outbox", place, fingerprint: "http.503:0badf00d" } as const;
      expect(groupOfKey(groupKey(group))).toEqual(group);
    }
    for (const key of [undefined, "", "outbox", "x.y~z", "outbox.~"]) expect(groupOfKey(key)).toBeUndefined();
  });

  it("names what it does not understand, and keeps only what narrows", () => {
    const parsed = parseDeadLetterFilters({ side: "both", error: "http.503", colour: "red", from: "2026-11-20" });
    expect(parsed.problems.map(({ name }) => name).sort()).toEqual(["colour", "side"]);
    expect(scopeOf(parsed.filters)).toEqual({ error: "http.503", from: "2026-11-20T00:00:00.000Z" });
    expect(scopeWords(scopeOf(parsed.filters) as Record<string, unknown>)).toBe(
      "error http.503, dead from 2026-11-20T00:00:00.000Z",
    );
    expect(scopeWords({})).toBe("every open dead letter");
  });
});
