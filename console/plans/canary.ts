import { canaryCandidates, type CanaryRow, endCanary, keepCanaryAnswer, selectCanaries } from "@/db/plans/canaries";
import { abortPlanRow } from "@/db/plans/decide-plan";
import type { ClaimedPlan, WaitingItem } from "@/db/plans/run-plan";
import { inTransaction } from "@/db/transaction";
import { CANARY_WAIT_MS, PLAN_CANARY_BY, type CanaryAnswer } from "@/domain/plans/canary";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import { planWithOpenItems } from "./open-items";

/** What may happen now: the rest may run, these rows go first, everybody waits for answers, or the plan has stopped. */
export type CanaryGate =
  { readonly kind: "open" | "wait" | "stopped" } | { readonly kind: "first"; readonly items: readonly WaitingItem[] };

/**
 * Looks after the canaries of a running plan: one row of each destination goes first, what becomes of it is kept, and the rest goes only
 * when all of these came through. Where one did not, the plan stops with its audit entry, in one transaction.
 */
export async function canaryGate(ctx: EngineContext, plan: ClaimedPlan): Promise<CanaryGate> {
  const { pool } = ctx.db;
  if (plan.canary !== "due") return { kind: "open" };
  for (const row of await selectCanaries(pool, ctx.tenantId, plan.id, CANARY_WAIT_MS)) {
    const learned = row.answer === undefined ? answerOf(row) : undefined;
    if (learned !== undefined) await keepCanaryAnswer(pool, ctx.tenantId, plan, { position: row.position, ...learned });
  }
  const items = await canaryCandidates(pool, ctx.tenantId, plan.id);
  return inTransaction(ctx.db, async (tx): Promise<CanaryGate> => {
    const { waiting } = await planWithOpenItems(tx, ctx, plan.id);
    const state = await endCanaryOnly(tx, ctx, plan, items.length === 0);
    if (state === "failed") {
      const stopped = await abortPlanRow(tx, ctx.tenantId, plan.id, PLAN_CANARY_BY);
      if (stopped === "stopped")
        await audit(ctx, tx, {
          action: "plans.abort",
          subject: { type: "plan", id: plan.id },
          reason: "The canary failed.",
          before: { state: "running" },
          after: { state: "aborted", untouched: waiting },
        });
      return { kind: "stopped" };
    }
    if (items.length > 0) return { kind: "first", items };
    return { kind: state === "true" || waiting === 0 ? "open" : "wait" };
  });
}

/** All came through only once each destination has its canary; one that failed is enough to stop. */
async function endCanaryOnly(
  tx: Parameters<typeof endCanary>[0],
  ctx: EngineContext,
  plan: ClaimedPlan,
  complete: boolean,
): Promise<"true" | "failed" | "due" | "fenced" | undefined> {
  if (complete) return endCanary(tx, ctx.tenantId, plan);
  const rows = await selectCanaries(tx, ctx.tenantId, plan.id, CANARY_WAIT_MS);
  return rows.some(({ answer }) => answer === "died" || answer === "silent")
    ? endCanary(tx, ctx.tenantId, plan)
    : "due";
}

const MINUTE_MS = 60_000;

/** What became of a canary by the row of its message. @returns undefined while it may still come through */
export function answerOf({
  state,
  attempts,
  lastError,
  paused,
  late,
}: Pick<CanaryRow, "state" | "attempts" | "lastError" | "paused" | "late">):
  { readonly answer: CanaryAnswer; readonly detail: string } | undefined {
  switch (state) {
    case "published":
      return { answer: "delivered", detail: "delivered" };
    case "processed":
      return { answer: "delivered", detail: "handled" };
    case "dead":
      return { answer: "died", detail: lastError ?? "no reason was kept" };
    case "discarded":
      return { answer: "silent", detail: "somebody discarded it" };
    case undefined:
      return { answer: "silent", detail: "its message is gone" };
    default: {
      if (!late) return undefined;
      const why = paused
        ? "its topic is paused"
        : attempts === 0
          ? "it was not tried"
          : `tried ${String(attempts)} times, last ${lastError ?? "lost"}`;
      return { answer: "silent", detail: `no answer within ${String(CANARY_WAIT_MS / MINUTE_MS)} minutes, ${why}` };
    }
  }
}
