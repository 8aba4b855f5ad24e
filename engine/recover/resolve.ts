import { sentEvidence } from "@/db/operations/settling-evidence";
import type { TakenOver } from "@/db/operations/take-over";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { KEPT_WAITING } from "@/domain/idempotency/provider-capabilities";
import type { OperationState } from "@/domain/idempotency/states";
import { recordEvent } from "../execute/answer-event";
import { bind } from "../execute/bind";
import { settleDecided, stayUnknown, type ConcludeOptions, type Conclusion } from "../execute/conclude-provider";
import type { EngineContext } from "../context";
import { FencedError } from "../execute/fenced";
import type { Claim, OperationRegistry, ProviderOperation, SettlingOutcome } from "../execute/operation";
import { logTransition } from "./log-transition";
import { takeOne } from "./recover-operation";
import { handToRecovery } from "@/engine/execute/fenced";

export const DECISIONS = ["succeeded", "failed", "keep_waiting"] as const;
export type ResolveDecision = (typeof DECISIONS)[number];

export interface ResolveInput {
  readonly operationId: string;
  readonly decision: ResolveDecision;
  /** What the decision rests on: names of webhook, look-up or document. At least one for a final decision. */
  readonly evidence: readonly string[];
  readonly reason: string;
  /** The provider's own reference, when the evidence names it. */
  readonly providerReference?: string | undefined;
  readonly alongside?: ConcludeOptions["alongside"];
}

export interface ResolveResult {
  readonly before: OperationState;
  readonly after: OperationState;
  readonly changed: boolean;
}

/**
 * A person settles an unknown outcome with evidence. Nothing is sent to the provider. The answer that is kept is the same one
 * that the provider's own answer would have made.
 * @throws AppError `operation.not_unknown` 409 when it is not unknown (any more), `validation.evidence` 422 without evidence
 */
export async function resolveOperation(
  ctx: EngineContext,
  registry: OperationRegistry,
  input: ResolveInput,
): Promise<ResolveResult> {
  if (input.decision !== "keep_waiting" && input.evidence.length === 0) throw noEvidence();
  // A refund names it to the provider later.
  const known = (await sentEvidence(ctx.db.pool, ctx.tenantId, input.operationId)).reference;
  const { taken, definition } = await take(ctx, registry, input.operationId);
  const { operation, key, fence } = taken;
  const claim: Claim = {
    operationId: taken.operation_id,
    operation,
    key,
    fence,
    attempt: 0,
    apiVersion: taken.api_version,
  };
  const alongside: ConcludeOptions["alongside"] = async (tx, conclusion: Conclusion) => {
    await recordEvent(ctx, tx, {
      operationId: claim.operationId,
      operation,
      type: "resolved",
      actor: ctx.actor.name,
      fence,
      detail: { from: taken.state, to: conclusion.state, decision: input.decision, evidence: input.evidence },
    });
    await input.alongside?.(tx, conclusion);
  };
  try {
    let conclusion: Conclusion;
    if (input.decision === "keep_waiting") {
      const reply = { kind: "indefinite", reason: KEPT_WAITING } as const;
      const options = { checked: false, checks: taken.checks, ageMs: Number(taken.age_ms), alongside };
      conclusion = await stayUnknown(ctx, definition.provider, claim, reply, options);
    } else {
      const outcome: SettlingOutcome =
        input.decision === "succeeded"
          ? { kind: "succeeded", reference: input.providerReference ?? known ?? undefined }
          : { kind: "declined", reference: input.providerReference, code: "resolved_as_failed" };
      conclusion = await settleDecided(ctx, await bind(ctx, definition), claim, outcome, alongside);
    }
    logTransition(ctx, "resolved", taken, conclusion);
    return { before: taken.state, after: conclusion.state, changed: conclusion.state !== taken.state };
  } catch (error) {
    await handToRecovery(ctx, claim, taken.state, taken.checks + 1, error);
    if (error instanceof FencedError) throw notUnknown();
    throw error;
  }
}

/** In a transaction, so that a refusal leaves the fence and the lease as they were. @throws AppError `operation.not_unknown` */
async function take(
  ctx: EngineContext,
  registry: OperationRegistry,
  operationId: string,
): Promise<{ readonly taken: TakenOver; readonly definition: ProviderOperation<never> }> {
  return inTransaction(ctx.db, async (tx) => {
    const taken = await takeOne(ctx, tx, { operationId, now: true });
    const definition = taken === undefined ? undefined : registry.provider(taken.operation);
    const unsent = taken?.stage === "RECEIVED" || taken?.stage === "LOCAL_PAYMENT_CREATED";
    if (taken === undefined || definition === undefined || unsent) throw notUnknown();
    return { taken, definition };
  });
}

export function noEvidence(): AppError {
  return new AppError("validation.evidence", 422, "A decision needs evidence", {
    detail: "Name at least one piece of evidence. Nothing was changed.",
  });
}

function notUnknown(): AppError {
  return new AppError("operation.not_unknown", 409, "This operation is not waiting for a decision", {
    detail: "It was settled meanwhile, or its lease is held. Nothing was changed.",
  });
}
