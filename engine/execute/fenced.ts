import type { EngineContext } from "../context";
import { recordEvent } from "./answer-event";
import { meters } from "../telemetry/meters";
import type { Claim } from "./operation";
import type { OperationState } from "@/domain/idempotency/states";
import { beforeDeadline, withoutDeadline } from "@/db/deadline";
import { markUnknown } from "@/db/operations/transitions";
import { nextCheckMs } from "@/domain/idempotency/recovery-schedule";

/** Thrown inside a transaction when the fence is not ours any more, so that everything in it is undone. */
export class FencedError extends Error {
  readonly claim: Claim;
  constructor(claim: Claim) {
    super(`operation ${claim.operationId}: fence ${String(claim.fence)} has been passed`);
    this.name = "FencedError";
    this.claim = claim;
  }
}

/** Keeps that a late owner came and was turned away. */
export async function recordFenced(ctx: EngineContext, operation: string, claim: Claim, doing: string): Promise<void> {
  meters.leaseFenced.inc();
  ctx.log.warn({ operationId: claim.operationId, operation, fence: claim.fence, doing }, "a late owner was fenced");
  const { operationId, fence } = claim;
  const event = { operationId, operation, type: "fenced", actor: ctx.instance, fence, detail: { doing } };
  await recordEvent(ctx, ctx.db.pool, event);
}

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
