import { setTimeout as delay } from "node:timers/promises";
import { beforeDeadline, OutOfTimeError, withoutDeadline } from "@/db/deadline";
import { inTransaction } from "@/db/transaction";
import type { ClaimRow } from "@/db/operations/claim";
import { mapDatabaseError } from "@/db/errors";
import { markSentTogether } from "@/db/provider/owner-steps";
import type { Queryable } from "@/db/client";
import { prepareProvider, type PrepareProviderInput } from "@/db/provider/provider-calls";
import { recordEvents } from "@/db/operations/record-events";
import { AppError, toAppError } from "@/domain/errors";
import { newId } from "@/domain/new-id";
import { executedAnswer, operationFacts, type ExecuteAnswer } from "./answer";
import { eventOfAnswer } from "./answer-event";
import { sendToProvider } from "./ask-provider";
import { concludeProvider, release, type Conclusion } from "./conclude-provider";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import type { ExecuteRequest } from "./execute-request";
import { FencedError, handToRecovery, recordFenced } from "./fenced";
import { answerToKeep, keepSettlement } from "./keep-settlement";
import { meters } from "../telemetry/meters";
import { claimFrom, type BoundProvider, type OwnClaim, type ProviderReply, type Settlement } from "./operation";
import { isFinalRefusal, refusalSettlement } from "./refusal";
import { shareStep } from "./together/share-step";

/** Between two tries to release what could not be released at once. */
const RELEASE_RETRY_MS = 500;

/** One execution by the owner of a claim. */
interface Execution<C> {
  readonly ctx: EngineContext;
  readonly definition: BoundProvider<C>;
  readonly request: ExecuteRequest<C>;
  readonly row: ClaimRow;
  readonly claim: OwnClaim;
  readonly journalId: string;
}

/**
 * The provider path for the owner of a claim: local row and journal in one transaction, `sent` committed, the call with no
 * transaction open, then business rows, outbox and answer in one fenced transaction. Death at any line leaves what recovery needs
 * to decide.
 */
export async function executeProvider<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Promise<ExecuteAnswer> {
  const claim = claimFrom(definition, request.key, row);
  const execution: Execution<C> = { ctx, definition, request, row, claim, journalId: newId() };
  let call: unknown;
  try {
    crashPoint("C4");
    const prepared = await prepare(execution);
    if (prepared.kind === "settled") return await respond(execution, prepared);
    call = prepared.call;
    crashPoint("P1");
    // Also when this fails the owner knows that it sent nothing.
    const { operationId, fence } = claim;
    const step = { tenantId: ctx.tenantId, operationId, fence, requestId: execution.journalId };
    if (!(await markSentTogether(ctx.db, step))) throw new FencedError(claim);
  } catch (error) {
    return refuse(execution, error);
  }
  return beforeDeadline(sendAndSettle(execution, call), () => inDoubt(new OutOfTimeError("unanswered")));
}

/** Nothing is sent once the caller's time is over; what was sent is brought to its end, whoever still waits for it. */
async function sendAndSettle<C>(execution: Execution<C>, call: unknown): Promise<ExecuteAnswer> {
  const { ctx, definition, claim, journalId } = execution;
  let reply: ProviderReply;
  try {
    crashPoint("P2");
    reply = await sendToProvider(ctx, definition, claim, claim.attempt - 1, call);
  } catch (error) {
    // Only our own side goes by the clock of the caller, and it looks at it before anything goes out.
    return error instanceof OutOfTimeError ? refuse(execution, error) : leaveInDoubt(execution, error);
  }
  return withoutDeadline(async () => {
    try {
      crashPoint("P5");
      const options = { journalId, checked: false, checks: 0, ageMs: 0, mayRelease: true };
      return await respond(execution, await concludeProvider(ctx, definition, claim, reply, options));
    } catch (error) {
      return leaveInDoubt(execution, error);
    }
  });
}

/** What broke once the request may have been sent. @throws AppError that is indefinite, unless another owner has it now */
async function leaveInDoubt<C>(execution: Execution<C>, error: unknown): Promise<ExecuteAnswer> {
  if (error instanceof FencedError) return answerFenced(execution, "settling");
  await handToRecovery(execution.ctx, execution.claim, "IN_PROGRESS", 0, error);
  throw inDoubt(error);
}

async function answerFenced<C>({ ctx, definition, claim, row }: Execution<C>, doing: string): Promise<ExecuteAnswer> {
  await recordFenced(ctx, definition.name, claim, doing);
  return { outcome: "in_progress", operation: operationFacts(row), mode: "conflict", retryAfterSeconds: 1 };
}

/** What goes to the provider, or the refusal that settled the operation instead. */
type PreparedCall =
  { readonly kind: "ready"; readonly call: unknown } | Extract<Conclusion, { readonly kind: "settled" }>;

async function prepare<C>(execution: Execution<C>): Promise<PreparedCall> {
  const { ctx, definition, claim } = execution;
  const alone = (): Promise<PreparedCall> =>
    inTransaction(ctx.db, async (tx) => {
      const { result, prepared, refused } = await prepareIn(execution, tx);
      if (refused !== undefined) await keepSettlement(ctx, tx, definition, claim, refused);
      else if (prepared !== undefined && !(await prepareProvider(tx, prepared))) throw new FencedError(claim);
      return result;
    });
  return shareStep(ctx, definition, claim, alone, async (tx) => {
    const { result, prepared, refused } = await prepareIn(execution, tx);
    return refused === undefined
      ? { result, prepared }
      : { result, prepared, kept: await answerToKeep(ctx, definition, claim, refused) };
  });
}

interface Preparing {
  readonly result: PreparedCall;
  readonly prepared?: PrepareProviderInput;
  readonly refused?: Settlement;
}

/** The rows of the operation itself; what the engine keeps beside them is left to the caller. */
async function prepareIn<C>(
  { ctx, definition, request, claim, journalId: id }: Execution<C>,
  tx: Queryable,
): Promise<Preparing> {
  const preparation = await definition.prepare(ctx, tx, claim, request.command);
  if (preparation.kind === "refused") {
    const { settlement } = preparation;
    if (settlement.refusal !== undefined && definition.policy.refusals === "not_binding") throw settlement.refusal;
    return { result: { kind: "settled", state: settlement.state, settlement }, refused: settlement };
  }
  const { providerKey, kind, amountMinor, currency } = preparation.prepared;
  const prepared = {
    tenantId: ctx.tenantId,
    operationId: claim.operationId,
    fence: claim.fence,
    id,
    provider: definition.provider.name,
    providerKey,
    kind,
    amountMinor,
    currency,
  };
  return { result: { kind: "ready", call: preparation.call }, prepared };
}

/** Whatever broke once the request was marked sent: the provider may have acted, so no such error is definite. */
function inDoubt(thrown: unknown): AppError {
  const error = toAppError(mapDatabaseError(thrown));
  return new AppError(error.code, error.status, error.title, {
    detail: "The provider may have acted. Ask with the same key: the answer is kept as soon as it is known.",
    retryable: true,
    certainty: "indefinite",
    retryAfter: error.retryAfter ?? 1,
    extensions: error.extensions,
    cause: thrown,
  });
}

/**
 * Before anything was sent every failure had no effect at the provider: local rows are taken back (a lost COMMIT may have kept
 * them), the key may be used again, and nothing is frozen.
 */
async function refuse<C>(execution: Execution<C>, thrown: unknown): Promise<ExecuteAnswer> {
  if (thrown instanceof FencedError) return answerFenced(execution, "before sending");
  const { ctx, definition, request, row, claim } = execution;
  const { operationId } = claim;
  // Also where mark_sent was not answered: the owner knows that it sent nothing.
  const error = toAppError(mapDatabaseError(thrown, { certainty: "definite" }));
  if (error.code === "transient.internal") ctx.log.error({ err: thrown, operationId }, "a preparation failed");
  try {
    if (definition.policy.failures === "strict" && isFinalRefusal(error))
      return await respond(execution, await keepRefusal(execution, error));
    await beforeDeadline(withoutDeadline(() => release(ctx, definition, claim, error)));
  } catch (failure) {
    ctx.log.warn({ err: failure, operationId }, "a failed preparation was left as it is");
    void withoutDeadline(() => releaseLater(execution, error));
    throw error;
  }
  const answer: ExecuteAnswer = { outcome: "refused", operation: operationFacts(row, "FAILED_RETRYABLE"), error };
  ctx.answers.add(eventOfAnswer(ctx, definition, request, row, answer));
  return answer;
}

/**
 * Tries again while the lease holds. Once it runs out recovery releases what was not marked as sent; but a mark that was on its
 * way when the database stood still makes it look sent, and recovery could send it then. A refusal that a lost COMMIT kept stays.
 */
async function releaseLater<C>({ ctx, definition, claim }: Execution<C>, error: AppError): Promise<void> {
  const until = performance.now() + definition.policy.leaseSeconds * 1_000;
  while (performance.now() < until) {
    await delay(RELEASE_RETRY_MS, undefined, { ref: false });
    try {
      await release(ctx, definition, claim, error);
      return;
    } catch (failure) {
      if (failure instanceof FencedError) return;
    }
  }
}

/** A strict operation keeps a failure that no retry heals: the same key gets it for good. */
async function keepRefusal<C>({ ctx, definition, claim }: Execution<C>, error: AppError): Promise<Conclusion> {
  const settlement = refusalSettlement(claim.operationId, error);
  await inTransaction(ctx.db, async (tx) => {
    await definition.release(ctx, tx, claim.operationId);
    await keepSettlement(ctx, tx, definition, claim, settlement);
  });
  return { kind: "settled", state: settlement.state, settlement };
}

/**
 * Turns a conclusion into the first caller's answer and its event. The event of an answer that the operation keeps is written in
 * a batch; of any other this event is the only trace, so it is written at once.
 */
async function respond<C>(
  { ctx, definition, request, row }: Execution<C>,
  conclusion: Conclusion,
): Promise<ExecuteAnswer> {
  if (conclusion.kind === "settled") {
    const answer = executedAnswer(definition, row, conclusion.settlement);
    ctx.answers.add(eventOfAnswer(ctx, definition, request, row, answer));
    return answer;
  }
  if (conclusion.kind === "unknown") meters.unknownEntered.inc();
  const error = conclusion.kind === "released" ? conclusion.error : notInTime(definition.policy.inProgressRetryAfter);
  const answer: ExecuteAnswer = { outcome: "refused", operation: operationFacts(row, conclusion.state), error };
  await recordEvents(ctx.db.pool, [eventOfAnswer(ctx, definition, request, row, answer)]);
  return answer;
}

function notInTime(retryAfter: number): AppError {
  return new AppError("dependency.timeout", 504, "The provider did not answer in time", {
    detail: "The provider may have acted. Nothing is sent again; ask with the same key.",
    retryable: true,
    certainty: "indefinite",
    retryAfter,
  });
}
