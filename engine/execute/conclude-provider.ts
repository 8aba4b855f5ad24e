import { inTransaction } from "@/db/transaction";
import type { Queryable } from "@/db/client";
import { confirmTogether, type ConfirmStep } from "@/db/provider/owner-steps";
import { answerProvider, confirmProvider } from "@/db/provider/provider-calls";
import { failRetryable, markUnknown } from "@/db/operations/transitions";
import type { ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import { nextCheckMs } from "@/domain/idempotency/recovery-schedule";
import { AppError } from "@/domain/errors";
import type { OperationState } from "@/domain/idempotency/states";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { FencedError } from "./fenced";
import { answerToKeep, keepSettlement } from "./keep-settlement";
import type {
  BoundProvider,
  Claim,
  ProviderNoEffect,
  ProviderOperation,
  ProviderReply,
  Settlement,
  SettlingOutcome,
} from "./operation";
import { shareStep } from "./together/share-step";

export type Conclusion =
  | { readonly kind: "settled"; readonly state: OperationState; readonly settlement: Settlement }
  | { readonly kind: "released"; readonly state: "FAILED_RETRYABLE"; readonly error: AppError }
  | { readonly kind: "unknown"; readonly state: "UNKNOWN_REQUIRES_RECOVERY"; readonly finding: string };

export interface ConcludeOptions {
  /** The journal row that this answer belongs to. */
  readonly journalId: string;
  /** Whether this was a look-up (counts towards the backoff). */
  readonly checked: boolean;
  readonly checks: number;
  /** Since the claim, by the database's clock. */
  readonly ageMs: number;
  /** Whether "no effect" or "absent" may free the key: only when no earlier call can still arrive at the provider. */
  readonly mayRelease: boolean;
  /** Runs in the settling transaction, e.g. the audit entry of an operator's action. */
  readonly alongside?: ((tx: Queryable, conclusion: Conclusion) => Promise<void>) | undefined;
}

/**
 * Turns a reply of the provider into the operation's next state, by the fence: a final answer settles, a definite "no effect"
 * releases, everything else is unknown: an indefinite error never becomes "failed".
 * @throws FencedError when somebody else owns the operation now
 */
export async function concludeProvider<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  claim: Claim,
  reply: ProviderReply,
  options: ConcludeOptions,
): Promise<Conclusion> {
  // The provider's answer is kept first and unfenced: it is a fact, whoever may act on it.
  const { operationId, fence } = claim;
  const answer = {
    tenantId: ctx.tenantId,
    operationId,
    fence,
    requestId: options.journalId,
    outcome: reply.kind,
    reference: "reference" in reply ? reply.reference : undefined,
    detail: findingOf(reply),
  };
  if (reply.kind === "succeeded" || reply.kind === "declined") {
    if (!(await keepFinalAnswer(ctx, answer))) throw new FencedError(claim);
    return settleConfirmed(ctx, definition, claim, reply, options.alongside);
  }
  await answerProvider(ctx.db.pool, answer);
  if (options.mayRelease && (reply.kind === "no_effect" || reply.kind === "absent")) {
    const error = reply.kind === "no_effect" ? notTaken(reply) : neverReceived();
    return release(ctx, definition, claim, error, options.alongside);
  }
  return stayUnknown(ctx, definition.provider, claim, reply, options);
}

/** @returns false when fenced; the answer is kept all the same */
async function keepFinalAnswer(ctx: EngineContext, answer: ConfirmStep): Promise<boolean> {
  try {
    return await confirmTogether(ctx.db, answer);
  } catch (error) {
    // A rival may hold the operation's row for too long, which says nothing about the answer: it is kept by itself.
    await answerProvider(ctx.db.pool, answer).catch((failure: unknown) => {
      ctx.log.warn({ err: failure, operationId: answer.operationId }, "an answer of the provider could not be kept");
    });
    throw error;
  }
}

/** Carries a refusal that does not bind out of the transaction that would have kept it. */
class NotBinding extends Error {
  readonly refusal: AppError;
  constructor(refusal: AppError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Settles by a person's decision instead of an answer of the provider. @throws FencedError */
export async function settleDecided<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  claim: Claim,
  outcome: SettlingOutcome,
  alongside?: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  if (!(await confirmProvider(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence))) throw new FencedError(claim);
  return settleConfirmed(ctx, definition, claim, outcome, alongside);
}

/**
 * Business rows, outbox, answer: one transaction, or nothing when fenced. PROVIDER_CONFIRMED is committed before it, so that a
 * death here shows that the final outcome was known. A refusal that does not bind by policy takes the local rows back instead,
 * and the same key may run again.
 */
async function settleConfirmed<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  claim: Claim,
  outcome: SettlingOutcome,
  alongside?: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  crashPoint("P7");
  const settle = async (tx: Queryable): Promise<Extract<Conclusion, { readonly kind: "settled" }>> => {
    const settlement = await definition.settle(ctx, tx, claim, outcome);
    const { refusal } = settlement;
    if (refusal !== undefined && definition.policy.refusals === "not_binding") throw new NotBinding(refusal);
    return { kind: "settled", state: settlement.state, settlement };
  };
  const alone = (): Promise<Conclusion> =>
    inTransaction(ctx.db, async (tx) => {
      const conclusion = await settle(tx);
      await keepSettlement(ctx, tx, definition, claim, conclusion.settlement);
      await alongside?.(tx, conclusion);
      return conclusion;
    });
  try {
    // What somebody's act does beside it has no part in the transaction of others.
    if (alongside !== undefined) return await alone();
    return await shareStep(ctx, definition, claim, alone, async (tx) => {
      const result = await settle(tx);
      return { result, kept: await answerToKeep(ctx, definition, claim, result.settlement) };
    });
  } catch (error) {
    if (error instanceof NotBinding) return release(ctx, definition, claim, error.refusal, alongside);
    if (error instanceof FencedError || error instanceof AppError) throw error;
    // Business rows that another owner settled since the line above look like a bug from here.
    if (!(await confirmProvider(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence)))
      throw new FencedError(claim);
    throw error;
  }
}

/** Definitely no effect: local rows are taken back and the same key may run again. @param definition none: it has no local rows here */
export async function release<C>(
  ctx: EngineContext,
  definition: Pick<ProviderOperation<C>, "release"> | undefined,
  claim: Claim,
  error: AppError,
  alongside?: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  return inTransaction(ctx.db, async (tx): Promise<Conclusion> => {
    await definition?.release(ctx, tx, claim.operationId);
    if (!(await failRetryable(tx, ctx.tenantId, claim.operationId, claim.fence, error.code)))
      throw new FencedError(claim);
    const conclusion: Conclusion = { kind: "released", state: "FAILED_RETRYABLE", error };
    await alongside?.(tx, conclusion);
    return conclusion;
  });
}

/** Of an operation whose code is not here (any more): it may come back. */
const UNKNOWN_PROVIDER = { dedupesForHours: 0, queryable: true };

/** Nobody knows: the lease is given up and the next look-up planned, if this provider makes one worth it. */
export async function stayUnknown(
  ctx: EngineContext,
  provider: ProviderFacts | undefined,
  claim: Claim,
  reply: ProviderReply,
  options: Pick<ConcludeOptions, "checked" | "checks" | "ageMs" | "alongside">,
): Promise<Conclusion> {
  const finding = findingOf(reply);
  return inTransaction(ctx.db, async (tx): Promise<Conclusion> => {
    const done = await markUnknown(tx, {
      tenantId: ctx.tenantId,
      operationId: claim.operationId,
      fence: claim.fence,
      errorCode: options.checked ? undefined : "dependency.timeout",
      finding,
      checked: options.checked,
      nextCheckMs: nextCheckMs(provider ?? UNKNOWN_PROVIDER, options.checks, options.ageMs),
    });
    if (!done) throw new FencedError(claim);
    const conclusion: Conclusion = { kind: "unknown", state: "UNKNOWN_REQUIRES_RECOVERY", finding };
    await options.alongside?.(tx, conclusion);
    return conclusion;
  });
}

/** @returns the words that the attention queue shows. */
export function findingOf(reply: ProviderReply): string {
  switch (reply.kind) {
    case "succeeded":
      return "succeeded";
    case "declined":
      return `declined: ${reply.code}`;
    case "processing":
      return "processing";
    case "absent":
      return "never received";
    case "no_effect":
    case "indefinite":
    case "unreachable":
    case "contradicting":
      return reply.reason;
  }
}

/** The same key may run again, but only a provider that was away or busy may do better the next time. */
function notTaken({ code, retryAfter, detail }: ProviderNoEffect): AppError {
  if (code === "refused") {
    return new AppError("dependency.refused", 502, "The provider does not take this request", {
      detail: detail ?? "Nothing took effect. A retry meets the same refusal until its cause is removed.",
    });
  }
  return new AppError("dependency.unavailable", 503, "The provider is not available", {
    detail: detail ?? "The provider did not take the request. Nothing took effect; retry with the same key.",
    retryable: true,
    retryAfter: retryAfter ?? 1,
  });
}

function neverReceived(): AppError {
  return new AppError("dependency.unavailable", 503, "The provider never received the request", {
    retryable: true,
    retryAfter: 1,
  });
}
