import { describe, expect, it } from "vitest";
import type { PlanKindName } from "@/domain/plans/plan";
import { planChain } from "./plan-chain";
import { NO_RESULTS, resultFace, type ResultCounts } from "./plan-results";
import { planSummary, reconciliation } from "./plan-summary";
import type { MoneyView } from "../views/common";
import type { PlanRestRow, PlanView } from "../views/plans";
import { againRows, planAdvice } from "./plan-advice";
import { PLAN_RESULTS } from "@/domain/plans/plan-results";

const action = { name: "start_plan", allowed: true } as unknown as PlanView["actions"]["start"];
const EUR = { minor: "24360", amount: "243.60", currency: "EUR", display: "€243.60" } satisfies MoneyView;

/** A plan of some rows by what became of them; `done` rows of a reconcile are those that succeeded, were declined or freed their key. */
function of(results: Partial<ResultCounts>, over: Partial<PlanView> = {}): PlanView {
  const all = { ...NO_RESULTS, ...results };
  const total = PLAN_RESULTS.reduce((sum, result) => sum + all[result], 0);
  const counts = {
    waiting: all.waiting,
    done: all.done + all.succeeded + all.declined,
    skipped: all.left + all.moved + all.unknown + all.settled,
    failed: all.failed,
  };
  return {
    id: "p",
    kind: "reconcile_operations",
    state: "done",
    scope: "",
    reason: "",
    total,
    amounts: [],
    counts,
    results: all,
    expired: false,
    createdAt: "2026-11-19T14:00:00Z",
    createdBy: "Ada",
    byKey: false,
    startedAt: "2026-11-19T14:01:00Z",
    endedAt: "2026-11-19T14:02:00Z",
    at: "2026-11-19T14:43:20Z",
    chips: [],
    acting: total - all.left,
    stillUnknown: all.unknown,
    verdicts: [],
    changed: 0,
    items: { rows: [], at: "2026-11-19T14:43:20Z" },
    actions: { start: action, decide: action, abort: action, rerun: action, ask: action },
    ...over,
  };
}
const verdictText = (plan: PlanView): string =>
  planSummary(plan)
    .map(({ text }) => text)
    .join(" ");
const before = (kind: PlanKindName, acting: number, over: Partial<PlanView> = {}): string =>
  verdictText(of({ waiting: acting }, { kind, state: "ready", startedAt: undefined, endedAt: undefined, ...over }));

describe("PLAN-7 what a plan did", () => {
  it("tells what was asked and stayed unknown from what moved meanwhile", () => {
    const plan = of({ unknown: 13, moved: 1, left: 1 });
    expect(verdictText(plan)).toBe(
      "None of 14 became certain. 13 were asked about and stayed unknown. 1 changed meanwhile and was skipped. 1 was left alone, as the dry run said.",
    );
    expect(reconciliation(plan)).toBe(
      "15 frozen = 13 asked and stayed unknown + 1 changed meanwhile and skipped + 1 left alone as the dry run said.",
    );
    expect(planChain(plan).at(-1)).toMatchObject({
      glyph: "UNKNOWN_REQUIRES_RECOVERY",
      facts: ["13 stayed unknown", "1 skipped"],
    });
  });

  it("tells what succeeded from what was declined, and says nothing of what did not happen", () => {
    expect(verdictText(of({ succeeded: 1, unknown: 1 }))).toBe(
      "1 of 2 became certain. 1 was asked about and stayed unknown.",
    );
    expect(verdictText(of({ succeeded: 2, declined: 1 }))).toBe("All 3 became certain. 1 was declined.");
    expect(reconciliation(of({ succeeded: 2, declined: 1, failed: 1 }))).toBe(
      "4 frozen = 2 settled as succeeded + 1 settled as declined + 1 failed.",
    );
  });

  it.each<[PlanKindName, Partial<ResultCounts>, string]>([
    ["requeue_dead_letters", { done: 1 }, "The row was requeued."],
    ["requeue_dead_letters", { done: 1, moved: 2 }, "1 of 3 was requeued. 2 changed meanwhile and were skipped."],
    ["requeue_dead_letters", { done: 2, moved: 1 }, "2 of 3 were requeued. 1 changed meanwhile and was skipped."],
    ["discard_dead_letters", { done: 3 }, "All 3 were discarded."],
    ["discard_dead_letters", { failed: 1 }, "The row was not discarded. 1 failed."],
    ["release_operations", { moved: 2 }, "None of 2 was released. 2 changed meanwhile and were skipped."],
    ["reconcile_operations", { unknown: 1 }, "The row did not become certain. 1 was asked about and stayed unknown."],
    ["purge_bodies", { done: 2, left: 2 }, "Both were purged. 2 were left alone, as the dry run said."],
    ["purge_attached", { done: 3 }, "All 3 batches were purged."],
    ["purge_attached", { done: 2 }, "Both batches were purged."],
    ["purge_attached", { done: 1, moved: 1 }, "1 of 2 batches was purged. 1 changed meanwhile and was skipped."],
    ["purge_attached", { failed: 2 }, "None of 2 batches was purged. 2 failed."],
  ])("%s with %j ends in a whole sentence", (kind, results, sentence) => {
    expect(verdictText(of(results, { kind }))).toBe(sentence);
  });

  it("says of an end before its time who stopped what", () => {
    const aborted = { state: "aborted" } as const;
    expect(verdictText(of({ done: 1, waiting: 1 }, { ...aborted, kind: "requeue_dead_letters" }))).toBe(
      "Aborted after 1 of 2 rows. 1 row stays untouched.",
    );
    expect(verdictText(of({ unknown: 1, waiting: 4 }, aborted))).toBe(
      "Aborted after 1 of 5 rows. 1 was asked about and stayed unknown. 4 rows stay untouched.",
    );
    expect(verdictText(of({ waiting: 4 }, { ...aborted, startedAt: undefined }))).toBe(
      "Aborted before it ran. Nothing acted.",
    );
    expect(verdictText(of({ waiting: 4 }, { ...aborted, startedAt: undefined, expired: true }))).toBe(
      "For 7 days nobody approved or started it: it has expired. Nothing acted.",
    );
    expect(verdictText(of({ waiting: 4 }, { state: "rejected", startedAt: undefined }))).toBe(
      "Rejected. Nothing acted.",
    );
  });

  it("says of one that runs how far it is", () => {
    const runs = (results: Partial<ResultCounts>) => verdictText(of(results, { state: "running", endedAt: undefined }));
    expect(runs({ waiting: 14 })).toBe("None of 14 has ended. It can be stopped after any row.");
    expect(runs({ succeeded: 1, waiting: 13 })).toBe("1 of 14 has ended. It can be stopped after any row.");
    expect(runs({ succeeded: 2, failed: 1, waiting: 11 })).toBe(
      "3 of 14 have ended. 1 failed. It can be stopped after any row.",
    );
  });
});

describe("PLAN-7 what others settled", () => {
  const by = (result: PlanRestRow["result"], who: string, count: number): PlanRestRow => ({
    result,
    verdict: "settled",
    now: "settled",
    by: who,
    count,
  });

  it("is counted apart, with who did it, and is not advised again", () => {
    const rest = [by("settled", "automatically", 12), by("settled", "by Ada", 3)];
    const plan = of({ settled: 15 }, { rest });
    expect(verdictText(plan)).toBe(
      "None of 15 became certain by this plan. 15 were settled before their turn, 12 automatically, 3 by Ada.",
    );
    expect(planAdvice(plan)).toBe("Nothing is left to do: what it did not do is settled.");
    expect(reconciliation(plan)).toBe("15 frozen = 15 settled by others before their turn.");
  });

  it("leaves the advice to the rows that still need it", () => {
    const rest: PlanRestRow[] = [
      by("settled", "by Ada", 1),
      by("unknown", "automatically", 4),
      { result: "unknown", verdict: "ask", now: "acts", count: 2 },
      { result: "left", verdict: "not_sent", now: "left", count: 3 },
    ];
    const plan = of({ settled: 1, unknown: 6, left: 3 }, { rest });
    expect(verdictText(plan)).toBe(
      "None of 7 became certain by this plan. 1 was settled before its turn by Ada. 6 were asked about and stayed unknown. Of what it did not settle, 4 were settled since automatically. 3 were left alone, as the dry run said.",
    );
    expect(planAdvice(plan)).toBe("2 rows would act now: plan them again. 3 rows need something else: 3 release.");
    expect(againRows(plan)).toBe(2);
  });

  it("is said before the start too", () => {
    const rest = [by("waiting", "by Ada", 2)];
    expect(before("reconcile_operations", 5, { rest })).toContain(
      "5 would be asked about at the provider. 2 of them were settled since then by Ada, and will be skipped.",
    );
  });

  it("names nobody where nobody looked", () => {
    const plan = of({ settled: 2, unknown: 1 });
    expect(verdictText(plan)).toContain("2 were settled before their turn. ");
    expect(planAdvice(plan)).toBe("3 rows did not act. Planning them again judges each of them anew.");
  });
});

describe("PLAN-7 what a plan would do", () => {
  it.each<[PlanKindName, number, string]>([
    ["requeue_dead_letters", 1, "1 would be requeued under the same id. It concerns €243.60."],
    ["requeue_dead_letters", 3, "3 would be requeued under the same ids. They concern €243.60."],
    ["discard_dead_letters", 3, "3 would be discarded, and kept on record. They concern €243.60."],
    ["reconcile_operations", 2, "2 would be asked about at the provider. They concern €243.60. No money is sent."],
    ["release_operations", 1, "1 would be released without effect. It concerns €243.60."],
    ["release_operations", 2, "2 would be released without effect. They concern €243.60."],
    ["purge_bodies", 2, "2 would be purged of their bodies, their fingerprints kept."],
  ])("%s of %i rows", (kind, acting, sentence) => {
    const frozen = `${String(acting)} frozen. ${sentence}`;
    expect(before(kind, acting, { amounts: [EUR] })).toBe(`${frozen} Nothing has acted yet.`);
    expect(before(kind, acting, { amounts: [EUR], state: "awaiting_approval" })).toBe(
      `${frozen} A second person must approve.`,
    );
  });

  it("says of one in which nothing would act that it is so, and why to look", () => {
    const none = { state: "ready", startedAt: undefined, endedAt: undefined } as const;
    expect(verdictText(of({ left: 13 }, none))).toBe(
      "13 frozen. None of them would act: the reason is beside each row.",
    );
    expect(verdictText(of({ left: 1 }, none))).toBe("1 frozen. It would not act: the reason is beside each row.");
  });
});

describe("PLAN-7 what became of a row", () => {
  it("is told apart by word, and by glyph and colour together", () => {
    const faces = PLAN_RESULTS.map((result) => resultFace(result, "reconcile_operations", false));
    expect(new Set(faces.map(({ word }) => word)).size).toBe(PLAN_RESULTS.length);
    expect(new Set(faces.map(({ counted }) => counted)).size).toBe(PLAN_RESULTS.length);
    expect(new Set(faces.map(({ glyph, tone }) => `${glyph} ${tone}`)).size).toBe(PLAN_RESULTS.length);
    // Green is spent on what was checked and true, nothing else.
    expect(faces.filter(({ tone }) => tone === "proven").map(({ word }) => word)).toEqual(["Succeeded"]);
  });
});
