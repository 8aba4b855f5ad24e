import { inTransaction } from "@/db/transaction";
import type { Queryable } from "@/db/client";
import { answerProvider, confirmProvider } from "@/db/provider/provider-calls";
import { failRetryable, markUnknown } from "@/db/operations/transitions";
import type { ProviderFacts } from "@/domain/idempotency/provider-capabilities";
import { nextCheckMs } from "@/domain/idempotency/recovery-schedule";
import { AppError } from "@/domain/errors";
import type { OperationState } from "@/domain/idempotency/states";
import { bind } from "./bind";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { FencedError } from "./fenced";
import { keepSettlement } from "./keep-settlement";
import type { Claim, ProviderOperation, ProviderOutcome, ProviderSaid, Settlement } from "./operation";

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
  readonly alongside?: (tx: Queryable, conclusion: Conclusion) => Promise<void>;
}

/**
 * Turns what the provider said into the operation's next state, by the fence: final words settle, definite "no effect"
 * releases, everything else is unknown. An indefinite error never becomes "failed".
 *
 * @throws FencedError when somebody else owns the operation now
 */
export async function concludeProvider<C>(
  ctx: EngineContext,
  definition: ProviderOperation<C>,
  claim: Claim,
  said: ProviderSaid,
  options: ConcludeOptions,
): Promise<Conclusion> {
  // The provider's word is kept first and unfenced: it is a fact, whoever may act on it.
  await answerProvider(ctx.db.pool, {
    tenantId: ctx.tenantId,
    requestId: options.journalId,
    outcome: said.kind,
    reference: "reference" in said ? said.reference : undefined,
    detail: describe(said),
  });
  if (said.kind === "succeeded" || said.kind === "declined")
    return settle(ctx, definition, claim, said, options.alongside);
  if (options.mayRelease && (said.kind === "no_effect" || said.kind === "absent")) {
    const error = said.kind === "no_effect" ? said.error : neverReceived();
    return release(ctx, definition, claim, error, options.alongside);
  }
  return stayUnknown(ctx, definition.provider, claim, said, options);
}

/** Carries a refusal that does not bind out of the transaction that would have kept it. */
class NotBinding extends Error {
  readonly refusal: AppError;
  constructor(refusal: AppError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/**
 * Business rows, outbox, answer: one transaction, or nothing when fenced. Also used for a person's decision. A refusal
 * that does not bind by policy takes the local rows back instead, and the same key may run again.
 */
export async function settle<C>(
  ctx: EngineContext,
  unbound: ProviderOperation<C>,
  claim: Claim,
  outcome: ProviderOutcome,
  alongside?: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  const definition = await bind(ctx, unbound);
  // Its own commit, so that a death before the next line shows that the provider's final word was known.
  if (!(await confirmProvider(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence))) throw new FencedError(claim);
  crashPoint("P7");
  try {
    return await inTransaction(ctx.db, async (tx): Promise<Conclusion> => {
      const settlement = await definition.settle(ctx, tx, claim, outcome);
      const { refusal } = settlement;
      if (refusal !== undefined && definition.policy.refusals === "not_binding") throw new NotBinding(refusal);
      await keepSettlement(ctx, tx, definition, claim, settlement);
      const conclusion: Conclusion = { kind: "settled", state: settlement.state, settlement };
      await alongside?.(tx, conclusion);
      return conclusion;
    });
  } catch (error) {
    if (error instanceof NotBinding) return release(ctx, unbound, claim, error.refusal, alongside);
    if (error instanceof FencedError || error instanceof AppError) throw error;
    // Business rows that another owner settled since the line above look like a bug from here.
    if (!(await confirmProvider(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence)))
      throw new FencedError(claim);
    throw error;
  }
}

/** Definitely no effect: local rows are taken back and the same key may run again. */
export async function release<C>(
  ctx: EngineContext,
  definition: Pick<ProviderOperation<C>, "release">,
  claim: Claim,
  error: AppError,
  alongside?: ConcludeOptions["alongside"],
): Promise<Conclusion> {
  return inTransaction(ctx.db, async (tx): Promise<Conclusion> => {
    await definition.release(ctx, tx, claim.operationId);
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
  said: ProviderSaid,
  options: Pick<ConcludeOptions, "checked" | "checks" | "ageMs" | "alongside">,
): Promise<Conclusion> {
  const finding = describe(said);
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
export function describe(said: ProviderSaid): string {
  switch (said.kind) {
    case "succeeded":
      return "succeeded";
    case "declined":
      return `declined: ${said.code}`;
    case "processing":
      return "processing";
    case "absent":
      return "never received";
    case "no_effect":
    case "indefinite":
    case "unreachable":
    case "contradicting":
      return said.reason;
  }
}

function neverReceived(): AppError {
  return new AppError("dependency.unavailable", 503, "The provider never received the request", {
    retryable: true,
    retryAfter: 1,
  });
}
