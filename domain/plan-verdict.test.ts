import { describe, expect, it } from "vitest";
import { reconciliation } from "./plan-sum";
import { planVerdict } from "./plan-verdict";
import type { PlanView } from "./views/plans";

const action = { name: "start_plan", allowed: true } as unknown as PlanView["actions"]["start"];
const done = (over: Partial<PlanView>): PlanView => ({
  id: "p",
  kind: "reconcile_operations",
  state: "done",
  scope: "",
  reason: "",
  total: 15,
  amounts: [],
  counts: { waiting: 0, done: 0, skipped: 15, failed: 0 },
  createdAt: "2026-11-19T14:00:00Z",
  createdBy: "Ada",
  at: "2026-11-19T14:43:20Z",
  chips: [],
  acting: 14,
  stillUnknown: 13,
  verdicts: [],
  changed: 14,
  items: { rows: [], at: "2026-11-19T14:43:20Z" },
  actions: { start: action, decide: action, abort: action, rerun: action },
  ...over,
});
const said = (plan: PlanView): string =>
  planVerdict(plan)
    .map(({ text }) => text)
    .join(" ");

describe("C.6 what a plan did", () => {
  it("tells what was asked and stayed unknown from what moved meanwhile", () => {
    const plan = done({});
    expect(said(plan)).toBe(
      "0 of 14 became certain. 13 were asked about and are still unknown. 1 moved meanwhile and was skipped. 1 is left alone.",
    );
    expect(reconciliation(plan)).toBe(
      "15 frozen = 0 done + 13 asked about and still unknown + 1 skipped otherwise than the dry run said + 1 left alone as the dry run said.",
    );
  });

  it("says of one that it was asked, and nothing of what did not happen", () => {
    const plan = done({ total: 2, acting: 2, stillUnknown: 1, counts: { waiting: 0, done: 1, skipped: 1, failed: 0 } });
    expect(said(plan)).toBe("1 of 2 became certain. 1 was asked about and is still unknown.");
  });
});
