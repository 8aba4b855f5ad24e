import { setTimeout as delay } from "node:timers/promises";
import { beforeDeadline, OutOfTimeError, withoutDeadline } from "@/db/deadline";
import { inTransaction } from "@/db/transaction";
import type { ClaimRow } from "@/db/statements/claim";
import { mapDatabaseError } from "@/db/errors";
import { markSent } from "@/db/statements/mark-sent";
import { prepareProvider } from "@/db/statements/prepare-provider";
import { recordEvents } from "@/db/statements/record-events";
import { AppError, toAppError } from "@/domain/errors";
import { v7 as uuidv7 } from "uuid";
import type { Answer } from "./answer";
import { answerEvent } from "./answer-event";
import { sendToProvider } from "./ask-provider";
import { concludeProvider, release, type Conclusion } from "./conclude-provider";
import type { EngineContext } from "./context";
import { crashPoint } from "./crash-point";
import type { ExecuteRequest } from "./execute";
import { factsOf } from "./facts";
import { FencedError, recordFenced } from "./fenced";
import { giveBack } from "./give-back";
import { keepSettlement } from "./keep-settlement";
import { meters } from "./meters";
import type { BoundProvider, Claim, ProviderSaid } from "./operation";
import { isFinalRefusal, refusalSettlement } from "./refusal";

/** Between two tries to release what could not be released at once. */
const RELEASE_RETRY_MS = 500;

/**
 * The path of S4.5 for the owner of a claim: local row and journal in one transaction, `sent` committed, the call with no
 * transaction open, then business rows, outbox and answer in one fenced transaction. Death at any line leaves what recovery
 * needs to decide.
 */
export async function executeProvider<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
  key: string,
): Promise<Answer> {
  const { operation_id: operationId, fence, attempts: attempt } = row;
  const claim: Claim = { operationId, operation: definition.name, key, fence, attempt };
  const journalId = uuidv7();
  try {
    crashPoint("C4");
    const refusal = await prepare(ctx, definition, request, claim, journalId);
    if (refusal) return await tell(ctx, definition, request, row, refusal);
    crashPoint("P1");
    // Also when this fails the owner knows that it sent nothing.
    if (!(await markSent(ctx.db.pool, ctx.tenantId, claim.operationId, claim.fence, journalId)))
      throw new FencedError(claim);
  } catch (error) {
    return refuse(ctx, definition, request, row, claim, error);
  }
  const settling = sendAndSettle(ctx, definition, request, row, claim, journalId);
  return beforeDeadline(settling, () => inDoubt(new OutOfTimeError("unanswered")));
}

/** Nothing is sent once the caller's time is over; what was sent is brought to its end, whoever still waits for it. */
async function sendAndSettle<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
  claim: Claim,
  journalId: string,
): Promise<Answer> {
  let said: ProviderSaid;
  try {
    crashPoint("P2");
    said = await sendToProvider(ctx, definition, claim, claim.attempt - 1);
  } catch (error) {
    // Only our own database is asked by the clock of the caller, and it is asked before anything goes out.
    if (error instanceof OutOfTimeError) return refuse(ctx, definition, request, row, claim, error);
    return leaveInDoubt(ctx, definition, row, claim, error);
  }
  return withoutDeadline(async () => {
    try {
      crashPoint("P5");
      const conclusion = await concludeProvider(ctx, definition, claim, said, {
        journalId,
        checked: false,
        checks: 0,
        ageMs: 0,
        mayRelease: true,
      });
      return await tell(ctx, definition, request, row, conclusion);
    } catch (error) {
      return leaveInDoubt(ctx, definition, row, claim, error);
    }
  });
}

/** What broke once the request may have been sent. @throws AppError that is indefinite, unless another owner has it now */
async function leaveInDoubt<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  row: ClaimRow,
  claim: Claim,
  error: unknown,
): Promise<Answer> {
  if (!(error instanceof FencedError)) {
    await giveBack(ctx, claim, "IN_PROGRESS", 0, error);
    throw inDoubt(error);
  }
  await recordFenced(ctx, definition.name, claim, "settling");
  return { outcome: "in_progress", operation: factsOf(row), mode: "conflict", retryAfterSeconds: 1 };
}

async function prepare<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  request: ExecuteRequest<C>,
  claim: Claim,
  journalId: string,
): Promise<Conclusion | undefined> {
  return inTransaction(ctx.db, async (tx): Promise<Conclusion | undefined> => {
    const preparation = await definition.prepare(ctx, tx, claim, request.command);
    if (preparation.kind === "refused") {
      const { refusal } = preparation.settlement;
      if (refusal !== undefined && definition.policy.refusals === "not_binding") throw refusal;
      await keepSettlement(ctx, tx, definition, claim, preparation.settlement);
      return { kind: "settled", state: preparation.settlement.state, settlement: preparation.settlement };
    }
    const done = await prepareProvider(tx, {
      tenantId: ctx.tenantId,
      operationId: claim.operationId,
      fence: claim.fence,
      id: journalId,
      provider: definition.provider.name,
      ...preparation.prepared,
    });
    if (!done) throw new FencedError(claim);
    return undefined;
  });
}

/** Whatever broke once the request was marked sent: the provider may have acted, so no such error is definite (S4.18). */
function inDoubt(error: unknown): AppError {
  const told = toAppError(mapDatabaseError(error));
  return new AppError(told.code, told.status, told.title, {
    detail: "The provider may have acted. Ask with the same key: the answer is kept as soon as it is known.",
    retryable: true,
    certainty: "indefinite",
    retryAfter: told.retryAfter ?? 1,
    extensions: told.extensions,
    cause: error,
  });
}

/**
 * Before anything was sent every failure had no effect at the provider: local rows are taken back (a lost COMMIT may have
 * kept them), the key may be used again (S4.18), and nothing is frozen (S1.6).
 */
async function refuse<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
  claim: Claim,
  error: unknown,
): Promise<Answer> {
  if (error instanceof FencedError) {
    await recordFenced(ctx, definition.name, claim, "before sending");
    return { outcome: "in_progress", operation: factsOf(row), mode: "conflict", retryAfterSeconds: 1 };
  }
  // Also where mark_sent was not answered: the owner knows that it sent nothing.
  const told = toAppError(mapDatabaseError(error, { certainty: "definite" }));
  if (told.code === "transient.internal")
    ctx.log.error({ err: error, operationId: claim.operationId }, "a preparation failed");
  try {
    if (definition.policy.failures === "strict" && isFinalRefusal(told))
      return await tell(ctx, definition, request, row, await keepRefusal(ctx, definition, claim, told));
    await beforeDeadline(withoutDeadline(() => release(ctx, definition, claim, told)));
  } catch (failure) {
    ctx.log.warn({ err: failure, operationId: claim.operationId }, "a failed preparation was left as it is");
    void withoutDeadline(() => releaseLater(ctx, definition, claim, told));
    throw told;
  }
  ctx.answers.add(
    answerEvent(ctx, row, request, {
      operation: definition.name,
      outcome: "failed",
      status: told.status,
      code: told.code,
    }),
  );
  return { outcome: "refused", operation: factsOf(row, "FAILED_RETRYABLE"), error: told };
}

/**
 * Tries again while the lease holds. Once it runs out recovery releases what was not marked as sent; but a mark that was on its
 * way when the database stood still makes it look sent, and recovery could send it then. A refusal that a lost COMMIT kept stays.
 */
async function releaseLater<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  claim: Claim,
  error: AppError,
): Promise<void> {
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

/** A strict operation keeps a failure that no retry heals: the same key gets it for good (S1.7). */
async function keepRefusal<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  claim: Claim,
  error: AppError,
): Promise<Conclusion> {
  const settlement = refusalSettlement(claim.operationId, error);
  await inTransaction(ctx.db, async (tx) => {
    await definition.release(ctx, tx, claim.operationId);
    await keepSettlement(ctx, tx, definition, claim, settlement);
  });
  return { kind: "settled", state: settlement.state, settlement };
}

/** What the first caller is told, kept as an event; the owner's answer is written at once, not in a batch. */
async function tell<C>(
  ctx: EngineContext,
  definition: BoundProvider<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
  conclusion: Conclusion,
): Promise<Answer> {
  const operation = factsOf(row, conclusion.state);
  if (conclusion.kind === "settled") {
    const { response, refusal } = conclusion.settlement;
    ctx.answers.add(
      answerEvent(ctx, row, request, {
        operation: definition.name,
        outcome: "executed",
        status: response.status,
        code: refusal?.code,
        body: response.body,
      }),
    );
    return { outcome: "executed", operation, response, schemaVersion: definition.schemaVersion, by: "stored" };
  }
  const error =
    conclusion.kind === "released"
      ? conclusion.error
      : new AppError("dependency.timeout", 504, "The provider did not answer in time", {
          detail: "The provider may have acted. Nothing is sent again; ask with the same key.",
          retryable: true,
          certainty: "indefinite",
          retryAfter: definition.policy.inProgressRetryAfter,
        });
  const outcome = conclusion.kind === "released" ? "failed" : "unknown";
  if (outcome === "unknown") meters.unknownEntered.inc();
  await recordEvents(ctx.db.pool, [
    answerEvent(ctx, row, request, { operation: definition.name, outcome, status: error.status, code: error.code }),
  ]);
  return { outcome: "refused", operation, error };
}
