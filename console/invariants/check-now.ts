import { unchangedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorTask } from "@/engine/actions/operator-action";
import { checkedJustNow, runInvariants } from "./run-invariants";

/** The caller waits: what is not begun by then is left to the worker. */
const BUDGET_MS = 15_000;

/**
 * Checks every invariant of the tenant now instead of at the worker's next turn. A request within seconds of a check is answered
 * with when that was, so that many of them are one check.
 * @throws AppError as of operatorTask
 */
export function checkInvariantsNow(ctx: EngineContext, origin: ActionOrigin): Promise<ActionResult> {
  const id = ctx.tenantId;
  const request = { ...origin, action: "invariants.run", subject: { type: "tenant", id }, input: {} } as const;
  return operatorTask(ctx, request, async () => {
    const age = await checkedJustNow(ctx);
    if (age !== undefined) return unchangedOutcome(id, `Checked ${String(age)} s ago.`, {});
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
