import type { Queryable } from "@/db/client";
import { takeOver, type TakenOver, type TakeOverInput } from "@/db/operations/take-over";
import { AppError } from "@/domain/errors";
import { recordEvent } from "../execute/answer-event";
import { release, stayUnknown, type Conclusion } from "../execute/conclude-provider";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { FencedError, recordFenced } from "../execute/fenced";
import { meters } from "../telemetry/meters";
import type { BoundProvider, Claim } from "../execute/operation";
import { recoverAtProvider, type RecoverOptions } from "./recover-at-provider";
import { inSpan } from "../telemetry/telemetry";
import { logTransition } from "./log-transition";
import { handToRecovery } from "@/engine/execute/fenced";

/**
 * Settles an operation that recovery owns. Nothing is ever executed blindly: before the send was committed there was no effect;
 * after it the provider is asked by the stable key, and only a provider that dedupes gets the same key again.
 * @param bound gives the definition with its policy; nothing for an operation that this process has no code of
 * @param taken the row from take_over: its fence is ours
 * @returns undefined when somebody else took it meanwhile
 */
export async function recoverOperation(
  ctx: EngineContext,
  bound: () => Promise<BoundProvider<never> | undefined>,
  taken: TakenOver,
  options: RecoverOptions = {},
): Promise<Conclusion | undefined> {
  meters.takeovers.inc();
  const facts = () => ({
    "idempotency.key_hash": ctx.log.keyHash(ctx.tenantId, taken.key),
    "idempotency.operation": taken.operation,
    "idempotency.operation_id": taken.operation_id,
    "idempotency.from_state": taken.state,
  });
  return inSpan("recover", { facts }, async (span) => {
    const conclusion = await settleTaken(ctx, bound, taken, options);
    span.set({ "idempotency.to_state": conclusion?.state });
    return conclusion;
  });
}

async function settleTaken(
  ctx: EngineContext,
  bound: () => Promise<BoundProvider<never> | undefined>,
  taken: TakenOver,
  options: RecoverOptions,
): Promise<Conclusion | undefined> {
  const { operation_id: operationId, operation, key, fence } = taken;
  const claim: Claim = { operationId, operation, key, fence, attempt: 0, apiVersion: taken.api_version };
  try {
    crashPoint("R2");
    const conclusion = await decide(ctx, await bound(), claim, taken, options);
    await recordReconciled(ctx, taken, conclusion);
    return conclusion;
  } catch (error) {
    if (!(error instanceof FencedError)) {
      await handToRecovery(ctx, claim, taken.state, taken.checks + 1, error);
      throw error;
    }
    await recordFenced(ctx, taken.operation, claim, "recovering");
    return undefined;
  }
}

async function decide(
  ctx: EngineContext,
  definition: BoundProvider<never> | undefined,
  claim: Claim,
  taken: TakenOver,
  options: RecoverOptions,
): Promise<Conclusion> {
  const died = new AppError("transient.owner_lost", 503, "The first try ended before anything was sent", {
    retryable: true,
    retryAfter: 1,
  });
  if (definition === undefined) {
    // The local path commits as one: an open row of it means that nothing was committed but the claim of a caller in another language.
    if (taken.stage === "RECEIVED") return release(ctx, undefined, claim, died, options.alongside);
    const reply = { kind: "unreachable", reason: "no such operation here" } as const;
    const { alongside } = options;
    const checked = { checked: true, checks: taken.checks + 1, ageMs: Number(taken.age_ms), alongside };
    return stayUnknown(ctx, undefined, claim, reply, checked);
  }
  // A zombie that still wants to send meets the raised fence in mark_sent and sends nothing.
  if (taken.stage === "RECEIVED" || taken.stage === "LOCAL_PAYMENT_CREATED" || taken.provider_key === null) {
    return release(ctx, definition, claim, died, options.alongside);
  }
  if (options.onlyRelease === true)
    throw new AppError("operation.not_open", 409, "This operation was sent meanwhile", {
      detail: "Its key stays until the outcome is known. Ask the provider instead.",
    });
  return recoverAtProvider(ctx, definition, claim, { ...taken, provider_key: taken.provider_key }, options);
}

async function recordReconciled(ctx: EngineContext, taken: TakenOver, conclusion: Conclusion): Promise<void> {
  logTransition(ctx, "reconciled", taken, conclusion);
  await recordEvent(ctx, ctx.db.pool, {
    operationId: taken.operation_id,
    operation: taken.operation,
    type: "reconciled",
    actor: ctx.actor.kind === "system" ? ctx.instance : ctx.actor.name,
    fence: taken.fence,
    detail: {
      from: taken.state,
      to: conclusion.state,
      finding: conclusion.kind === "unknown" ? conclusion.finding : conclusion.kind,
    },
  });
}

/** Takes a stale or unknown operation over: the one that is named, or whichever is due. @returns undefined when there is none */
export async function takeOne(
  ctx: EngineContext,
  q: Queryable,
  which: Pick<TakeOverInput, "operationId" | "now"> = {},
): Promise<TakenOver | undefined> {
  const leaseMs = ctx.config.leaseSeconds * 1_000;
  const [taken] = await takeOver(q, { tenantId: ctx.tenantId, owner: ctx.instance, leaseMs, limit: 1, ...which });
  return taken;
}
