import { sentEvidence } from "@/db/queries/sent-evidence";
import { answerProvider } from "@/db/statements/answer-provider";
import type { TakenOver } from "@/db/statements/take-over";
import { journalProviderRequest } from "@/db/statements/journal-provider-request";
import { markSent } from "@/db/statements/mark-sent";
import { recordEvents } from "@/db/statements/record-events";
import { failRetryable } from "@/db/statements/fail-retryable";
import { AppError } from "@/domain/errors";
import { RESEND_WITHIN_MINUTES } from "@/domain/policy";
import { v7 as uuidv7 } from "uuid";
import { lookUpAtProvider, sendToProvider } from "./ask-provider";
import {
  concludeProvider,
  describe,
  release,
  stayUnknown,
  type ConcludeOptions,
  type Conclusion,
} from "./conclude-provider";
import type { EngineContext } from "./context";
import { crashPoint } from "./crash-point";
import { FencedError, recordFenced } from "./fenced";
import { giveBack } from "./give-back";
import { meters } from "./meters";
import type { Claim, OperationRegistry, ProviderOperation, ProviderSaid } from "./operation";
import { inSpan } from "./telemetry";
import { tellTransition } from "./tell-transition";

/**
 * Settles an operation that recovery owns (S4.6). Nothing is ever executed blindly: before the send was committed there was
 * no effect; after it the provider is asked by the stable key, and only a provider that dedupes gets the same key again.
 *
 * @param taken the row from take_over: its fence is ours
 * @returns undefined when somebody else took it meanwhile
 */
export async function recoverOperation(
  ctx: EngineContext,
  registry: OperationRegistry,
  taken: TakenOver,
  alongside?: ConcludeOptions["alongside"],
): Promise<Conclusion | undefined> {
  meters.takeovers.inc();
  const facts = () => ({
    "idempotency.key_hash": ctx.log.keyHash(ctx.tenantId, taken.key),
    "idempotency.operation": taken.operation,
    "idempotency.operation_id": taken.operation_id,
    "idempotency.from_state": taken.state,
  });
  return inSpan("recover", { facts }, async (span) => {
    const conclusion = await settleTaken(ctx, registry, taken, alongside);
    span.set({ "idempotency.to_state": conclusion?.state });
    return conclusion;
  });
}

async function settleTaken(
  ctx: EngineContext,
  registry: OperationRegistry,
  taken: TakenOver,
  alongside: ConcludeOptions["alongside"],
): Promise<Conclusion | undefined> {
  const { operation_id: operationId, operation, key, fence } = taken;
  const claim: Claim = { operationId, operation, key, fence, attempt: 0 };
  const definition = registry.provider(taken.operation);
  try {
    crashPoint("R2");
    const conclusion = await decide(ctx, definition, claim, taken, alongside);
    await recordReconciled(ctx, taken, conclusion);
    return conclusion;
  } catch (error) {
    if (!(error instanceof FencedError)) {
      await giveBack(ctx, claim, taken.checks + 1, error);
      throw error;
    }
    await recordFenced(ctx, taken.operation, claim, "recovering");
    return undefined;
  }
}

async function decide(
  ctx: EngineContext,
  definition: ProviderOperation<never> | undefined,
  claim: Claim,
  taken: TakenOver,
  alongside: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  const died = new AppError("transient.owner_lost", 503, "The first try ended before anything was sent", {
    retryable: true,
    retryAfter: 1,
  });
  if (definition === undefined) {
    // The local path commits as one: an open row of it means that nothing was committed but the claim of a caller in another language.
    if (taken.stage !== "RECEIVED")
      return stayUnknown(
        ctx,
        claim,
        { kind: "unreachable", reason: "no such operation here" },
        checkedOnce(taken, alongside),
      );
    if (!(await failRetryable(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence, died.code)))
      throw new FencedError(claim);
    return { kind: "released", state: "FAILED_RETRYABLE", error: died };
  }
  // A zombie that still wants to send meets the raised fence in mark_sent and sends nothing.
  if (taken.stage === "RECEIVED" || taken.stage === "LOCAL_PAYMENT_CREATED" || taken.provider_key === null) {
    return release(ctx, definition, claim, died, alongside);
  }
  return askProvider(ctx, definition, claim, taken, taken.provider_key, alongside);
}

async function askProvider(
  ctx: EngineContext,
  definition: ProviderOperation<never>,
  claim: Claim,
  taken: TakenOver,
  providerKey: string,
  alongside: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  if (!definition.provider.queryable) {
    return stayUnknown(
      ctx,
      claim,
      { kind: "unreachable", reason: "this provider cannot be asked" },
      checkedOnce(taken, alongside),
    );
  }
  const lookUpId = await journal(ctx, definition, claim, providerKey, "lookup");
  const said = await lookUpAtProvider(ctx, definition, claim, providerKey);
  const options = { checked: true, checks: taken.checks + 1, ...(alongside && { alongside }) };
  crashPoint(said.kind === "absent" ? "R5" : "R4");
  if (said.kind !== "absent")
    return concludeProvider(ctx, definition, claim, said, { ...options, journalId: lookUpId, mayRelease: false });
  const { seen, since_sent_ms: sinceSentMs } = await sentEvidence(ctx.db.pool, ctx.tenantId, claim.operationId);
  if (seen || taken.stage === "PROVIDER_CONFIRMED") {
    // A lagging replica or a restored backup says "absent" of what the provider had: freeing the key would pay twice.
    const lost: ProviderSaid = { kind: "indefinite", reason: "the provider knew of it before and does not now" };
    return concludeProvider(ctx, definition, claim, lost, { ...options, journalId: lookUpId, mayRelease: false });
  }
  const resendWithinMs = RESEND_WITHIN_MINUTES * 60_000;
  // Since the last send, not since the claim: one that recovery repeated just now may still arrive.
  if (Number(sinceSentMs ?? taken.age_ms) > resendWithinMs) {
    return concludeProvider(ctx, definition, claim, said, { ...options, journalId: lookUpId, mayRelease: true });
  }
  if (definition.provider.dedupesForHours === 0 || Number(taken.age_ms) > resendWithinMs)
    return concludeProvider(ctx, definition, claim, said, { ...options, journalId: lookUpId, mayRelease: false });
  return resend(ctx, definition, claim, providerKey, lookUpId, options);
}

/** Absent and young: the same command under the same provider key, so at most one of the two takes effect. */
async function resend(
  ctx: EngineContext,
  definition: ProviderOperation<never>,
  claim: Claim,
  providerKey: string,
  lookUpId: string,
  options: Pick<ConcludeOptions, "checked" | "checks" | "alongside">,
): Promise<Conclusion> {
  await keepLookUp(ctx, lookUpId);
  const resendId = await journal(ctx, definition, claim, providerKey, "resend");
  // The look-up may have outlived our lease: then whoever took over decides, perhaps that the key is free.
  if (!(await markSent(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence, resendId)))
    throw new FencedError(claim);
  const said = await sendToProvider(ctx, definition, claim, 1);
  crashPoint("R6");
  // "No effect" of this call says nothing about the first one, which may still be on its way.
  return concludeProvider(ctx, definition, claim, said, { ...options, journalId: resendId, mayRelease: false });
}

async function keepLookUp(ctx: EngineContext, requestId: string): Promise<void> {
  await answerProvider(ctx.db.pool, {
    tenantId: ctx.tenantId,
    requestId,
    outcome: "absent",
    reference: undefined,
    detail: describe({ kind: "absent" }),
  });
}

async function journal(
  ctx: EngineContext,
  definition: ProviderOperation<never>,
  claim: Claim,
  providerKey: string,
  kind: string,
): Promise<string> {
  const id = uuidv7();
  const ours = await journalProviderRequest(ctx.db.pool, {
    tenantId: ctx.tenantId,
    id,
    operationId: claim.operationId,
    providerKey,
    provider: definition.provider.name,
    kind,
    fence: claim.fence,
  });
  if (!ours) throw new FencedError(claim);
  return id;
}

function checkedOnce(
  taken: TakenOver,
  alongside: ConcludeOptions["alongside"],
): Pick<ConcludeOptions, "checked" | "checks" | "alongside"> {
  return { checked: true, checks: taken.checks + 1, ...(alongside && { alongside }) };
}

async function recordReconciled(ctx: EngineContext, taken: TakenOver, conclusion: Conclusion): Promise<void> {
  tellTransition(ctx, "reconciled", taken, conclusion);
  await recordEvents(ctx.db.pool, [
    {
      tenantId: ctx.tenantId,
      id: uuidv7(),
      operationId: taken.operation_id,
      operation: taken.operation,
      at: new Date().toISOString(),
      type: "reconciled",
      actor: ctx.actor.kind === "system" ? ctx.instance : ctx.actor.name,
      fence: taken.fence,
      detail: {
        from: taken.state,
        to: conclusion.state,
        finding: conclusion.kind === "unknown" ? conclusion.finding : conclusion.kind,
      },
    },
  ]);
}
