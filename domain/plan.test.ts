import { describe, expect, it } from "vitest";
import { approvalNeeded, PLAN_STATES, planSeconds, whyNotStep, type PlanFacts, type PlanStep } from "./plan";
import { groupKey, groupOfKey, parseDeadLetterFilters, scopeOf } from "./filters/dead-letters";
import { scopeWords } from "./plan-words";

const plan = (over: Partial<PlanFacts> = {}): PlanFacts => ({
  state: "ready",
  waiting: 3,
  left: 3,
  own: false,
  ...over,
});

describe("C.6 a plan's steps", () => {
  const offered: Readonly<Record<PlanStep, readonly string[]>> = {
    start: ["ready"],
    decide: ["awaiting_approval"],
    abort: ["ready", "awaiting_approval", "running"],
    rerun: ["rejected", "aborted", "done"],
  };
  it.each(Object.entries(offered))("%s is offered in %j, and says why not elsewhere", (step, states) => {
    for (const state of PLAN_STATES) {
      const why = whyNotStep(step as PlanStep, plan({ state }));
      expect(why === undefined, state).toBe(states.includes(state));
      if (why !== undefined) expect(why).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("whoever asked cannot agree, a plan that does nothing cannot start, and one that left nothing is not run again", () => {
    expect(whyNotStep("decide", plan({ state: "awaiting_approval", own: true }))).toContain("another person");
    expect(whyNotStep("start", plan({ waiting: 0 }))).toBe("None of its rows would act.");
    expect(whyNotStep("rerun", plan({ state: "done", left: 0 }))).toBe("No row failed or was skipped.");
  });

  it("asks for a second person from its size on, earlier for what cannot be taken back", () => {
    expect(approvalNeeded("requeue_dead_letters", 99)).toBeUndefined();
    expect(approvalNeeded("requeue_dead_letters", 100)).toContain("from 100");
    expect(approvalNeeded("discard_dead_letters", 24)).toBeUndefined();
    expect(approvalNeeded("discard_dead_letters", 25)).toContain("from 25");
  });

  it("asks for a second person from an amount of one currency on, where the rows stand for money", () => {
    const eur = (minor: bigint) => [{ currency: "EUR", minor }];
    expect(approvalNeeded("reconcile_operations", 1, eur(999_999n))).toBeUndefined();
    expect(approvalNeeded("reconcile_operations", 1, eur(1_000_000n))).toContain("from €10,000.00");
    expect(approvalNeeded("reconcile_operations", 1, [{ currency: "JPY", minor: 10_000n }])).toContain("10,000");
    expect(approvalNeeded("purge_bodies", 1, eur(1_000_000n))).toBeUndefined();
  });

  it("10,000 rows take minutes, not one burst", () => {
    expect(planSeconds(10_000)).toBe(200);
    expect(planSeconds(1)).toBe(1);
  });
});

describe("C.5 filters of dead letters", () => {
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
