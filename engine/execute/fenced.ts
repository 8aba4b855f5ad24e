import type { EngineContext } from "../context";
import { recordEvent } from "./answer-event";
import { meters } from "../telemetry/meters";
import type { Claim } from "./operation";

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
