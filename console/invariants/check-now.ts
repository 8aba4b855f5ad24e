import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorTask } from "@/engine/actions/operator-action";
import { checkedJustNow, runInvariants } from "./run-invariants";

/** The caller waits: what is not begun by then is left to the worker. */
const BUDGET_MS = 15_000;

export type CheckActionRequest = Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">;

/**
 * Checks every invariant of the tenant now instead of at the worker's next turn. Whoever asks within seconds of a check is told so,
 * so that many impatient clicks are one check.
 *
 * @throws AppError as of operatorTask
 */
export function checkInvariantsNow(ctx: EngineContext, click: CheckActionRequest): Promise<ActionResult> {
  const request: ActionRequest = {
    ...click,
    action: "invariants.run",
    subject: { type: "tenant", id: ctx.tenantId },
    input: {},
  };
  return operatorTask(ctx, request, async () => {
    const age = await checkedJustNow(ctx);
    if (age !== undefined) {
      const why = `Checked ${String(age)} s ago.`;
      return { changed: false, affected: 0, skipped: [{ id: ctx.tenantId, why }], before: {}, after: {} };
    }
    const { runs, left } = await runInvariants(ctx, BUDGET_MS);
    const violated = runs.filter(({ violations }) => (violations ?? 0) > 0).map(({ name }) => name);
    const slow = runs.filter(({ violations }) => violations === undefined);
    return {
      changed: true,
      affected: runs.length - slow.length,
      skipped: [
        ...slow.map(({ name, label }) => ({ id: name, why: `${label}: stopped, it took too long.` })),
        ...left.map(({ name, label }) => ({ id: name, why: `${label}: left to the worker's next turn.` })),
      ],
      before: {},
      after: { violated },
    };
  });
}
