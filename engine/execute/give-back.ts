import { beforeDeadline, withoutDeadline } from "@/db/deadline";
import { markUnknown } from "@/db/operations/transitions";
import { nextCheckMs } from "@/domain/idempotency/recovery-schedule";
import type { OperationState } from "@/domain/idempotency/states";
import type { EngineContext } from "../context";
import { meters } from "../telemetry/meters";
import type { Claim } from "./operation";

/** Whatever the provider can do: our own side has to come again, and decides then by the stage. */
const ALWAYS_COME_AGAIN = { dedupesForHours: 0, queryable: true };

/**
 * Lets go of an operation whose owner cannot go on: without it the lease would be held with nobody at work. It waits as unknown
 * for the next look-up, which decides by the stage. Touches nothing once it is settled or somebody else's, and never throws: when
 * the database is away the lease runs out.
 * @param from what the operation was until now
 */
export async function handToRecovery(
  ctx: EngineContext,
  claim: Claim,
  from: OperationState,
  checks: number,
  error: unknown,
): Promise<void> {
  const { operationId, operation, fence } = claim;
  ctx.log.error({ err: error, operationId, operation, fence, fromState: from }, "an owner could not go on");
  try {
    const giving = withoutDeadline(() =>
      markUnknown(ctx.db.pool, {
        tenantId: ctx.tenantId,
        operationId: claim.operationId,
        fence: claim.fence,
        errorCode: undefined,
        finding: "our own side failed before it was settled",
        checked: true,
        nextCheckMs: nextCheckMs(ALWAYS_COME_AGAIN, checks, 0),
      }),
    );
    const given = await beforeDeadline(giving);
    if (given && from === "IN_PROGRESS") meters.unknownEntered.inc();
  } catch (failure) {
    ctx.log.warn({ err: failure, operationId: claim.operationId }, "a lease was left to run out");
  }
}
