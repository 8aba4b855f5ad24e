import type { ClaimRow } from "@/db/operations/claim";
import { AppError } from "@/domain/errors";
import { whenThere, type Soon } from "@/domain/soon";
import { operationFacts, type ExecuteAnswer } from "./answer";
import { eventOfAnswer } from "./answer-event";
import type { EngineContext } from "../context";
import type { ExecuteRequest } from "./execute-request";
import type { BoundOperation } from "./operation";
import { recoverBeforeAnswer } from "../recover/recover-before-answer";
import { replay } from "./replay";
import { wrongRegion } from "@/domain/access/wrong-region";

/** Everything but a claim and a conflict is answered from what the key already stands for. */
export function answerExisting<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Soon<ExecuteAnswer> {
  return whenThere(answerOf(ctx, definition, request, row), (answer) => {
    ctx.answers.add(eventOfAnswer(ctx, definition, request, row, answer));
    return answer;
  });
}

function answerOf<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: ExecuteRequest<C>,
  row: ClaimRow,
): Soon<ExecuteAnswer> {
  const { policy } = definition;
  switch (row.outcome) {
    case "replay":
      return replay(ctx, definition, request.key, row);
    case "in_progress": {
      const left = Math.ceil(((row.locked_until?.getTime() ?? 0) - row.asked_at.getTime()) / 1_000);
      const mode = policy.inFlight === "accepted" ? "accepted" : "conflict";
      const retryAfterSeconds = Math.max(1, Math.min(left, policy.inProgressRetryAfter));
      return { outcome: "in_progress", operation: operationFacts(row), mode, retryAfterSeconds };
    }
    case "stale":
      return recoverBeforeAnswer(ctx, definition, row);
    case "unknown":
      return { outcome: "unknown", operation: operationFacts(row), retryAfterSeconds: policy.unknownRetryAfter };
    case "expired":
      return { outcome: "expired", operation: row.created_at === null ? undefined : operationFacts(row) };
    case "exhausted":
      return { outcome: "refused", operation: operationFacts(row), error: exhausted() };
    case "wrong_region":
      throw wrongRegion(undefined);
    case "claimed":
    case "conflict":
    case "other_fingerprint_version":
      throw new Error(`${row.outcome} is not answered from the row`);
  }
}

function exhausted(): AppError {
  return new AppError("idempotency.attempts_exhausted", 409, "This key was tried too often", {
    detail: "Nothing took effect in any of its attempts, so a new key is safe.",
    extensions: { safeNewKey: true },
  });
}
