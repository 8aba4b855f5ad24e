import { actOperation, NOBODY, type ActCommand } from "@/console/attachments/act-operations";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import { resultOf } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import type { PlanActor } from "../plan-kind";

/**
 * Calls the guarded function for one row of a plan. The key is that of the row in its plan, so a turn that is repeated gets the outcome of
 * the one before.
 *
 * @returns undefined while that is not known
 * @throws AppError retryable: the row waits for another turn
 */
export async function actOnce(
  ctx: EngineContext,
  { planId, startedBy, reason }: PlanActor,
  targetId: string,
  on: Omit<ActCommand, "reason" | "plan">,
): Promise<ActionAnswer | undefined> {
  const command: ActCommand = { ...on, reason, plan: { planId, startedBy } };
  const request = { key: `plan:${planId}:${targetId}`, command, receivedAt: performance.now() };
  const answer = await execute(ctx, actOperation(on.act), request);
  return answer.outcome === "in_progress" || answer.outcome === "unknown" ? undefined : resultOf(answer).answer;
}

/** Why nothing was changed. */
export const whyNothing = (answer: ActionAnswer): string => answer.skipped[0]?.why ?? NOBODY;

/** A person settled that it was done while nothing of what the function returned was kept. */
export const SETTLED_AS_DONE = "A person settled, with evidence, that it was done.";

/** @returns whether it is not known what the function changed */
export const isNotKnown = ({ after }: ActionAnswer): boolean => after["changed"] === "not known";
