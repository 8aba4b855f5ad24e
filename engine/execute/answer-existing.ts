import type { ClaimRow } from "@/db/operations/claim";
import { AppError } from "@/domain/errors";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { Answer } from "./answer";
import { answerEvent } from "./answer-event";
import type { FingerprintForm } from "./claim-input";
import type { EngineContext } from "../context";
import type { ExecuteRequest } from "./execute";
import { factsOf } from "./facts";
import type { BoundOperation } from "./operation";
import { recoverBeforeAnswer } from "../recover/recover-before-answer";
import { replay } from "./replay";
import { wrongRegion } from "./wrong-region";
import { refuseConflict } from "./refuse-conflict";

const CONFLICT = 409;
const ACCEPTED = 202;
const GONE = 410;

/** The line that decides a replay: everything that is not a claim is answered from what the key already stands for. */
export async function answerExisting<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  form: FingerprintForm,
  row: ClaimRow,
): Promise<Answer> {
  const { name: operation, policy } = definition;
  const told = (outcome: AnswerOutcome, status: number, code: string) =>
    ctx.answers.add(answerEvent(ctx, row, request, { operation, outcome, status, code }));
  switch (row.outcome) {
    case "replay":
      return replay(ctx, definition, request, row);
    case "conflict":
      return refuseConflict(ctx, definition, request, form, row);
    case "in_progress": {
      const left = Math.ceil(((row.locked_until?.getTime() ?? 0) - row.asked_at.getTime()) / 1_000);
      const mode = policy.inFlight === "accepted" ? "accepted" : "conflict";
      told("in_progress", mode === "accepted" ? ACCEPTED : CONFLICT, "idempotency.in_progress");
      const retryAfterSeconds = Math.max(1, Math.min(left, policy.inProgressRetryAfter));
      return { outcome: "in_progress", operation: factsOf(row), mode, retryAfterSeconds };
    }
    case "stale":
      return recoverBeforeAnswer(ctx, definition, request, row);
    case "unknown":
      told("unknown", CONFLICT, "idempotency.outcome_unknown");
      return { outcome: "unknown", operation: factsOf(row), retryAfterSeconds: policy.unknownRetryAfter };
    case "expired":
      told("expired_retry", GONE, "idempotency.key_expired");
      return { outcome: "expired", operation: row.created_at === null ? undefined : factsOf(row) };
    case "exhausted":
      told("failed", CONFLICT, "idempotency.attempts_exhausted");
      return { outcome: "refused", operation: factsOf(row), error: exhausted() };
    case "wrong_region":
      throw wrongRegion(undefined);
    case "claimed":
    case "other_fingerprint_version":
      throw new Error(`${row.outcome} is not an answer`);
  }
}

function exhausted(): AppError {
  return new AppError("idempotency.attempts_exhausted", 409, "This key was tried too often", {
    detail: "Nothing took effect in any of its attempts, so a new key is safe.",
    extensions: { safeNewKey: true },
  });
}
