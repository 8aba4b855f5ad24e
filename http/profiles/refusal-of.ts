import { AppError } from "@/domain/errors";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { ExecuteAnswer } from "@/engine/execute/answer";

type RefusedAnswer = Exclude<ExecuteAnswer, { readonly outcome: "executed" | "replayed" }>;

/**
 * The decision about a key as an error, the same for every profile. `safeNewKey` says whether another key may be used
 * for this command without a look at the operation: only where it is certain that the command had no effect.
 */
export function refusalOf(answer: RefusedAnswer, policy: Pick<OperationPolicy, "mismatchStatus">): AppError {
  switch (answer.outcome) {
    case "conflict":
      return new AppError(
        "idempotency.payload_mismatch",
        policy.mismatchStatus,
        "This key stands for another command",
        {
          detail:
            "The key was used first with another command, which stays as it is. This command was not executed; if it is meant, send it under a new key.",
          extensions: { differingFields: answer.differingFields, safeNewKey: true },
        },
      );
    case "in_progress":
      return new AppError("idempotency.in_progress", 409, "A request of this key is in progress", {
        detail: "Nothing was started a second time. Retry with the same key.",
        retryable: true,
        retryAfter: answer.retryAfterSeconds,
        extensions: { safeNewKey: false },
      });
    case "unknown":
      return new AppError("idempotency.outcome_unknown", 409, "The outcome of this operation is not known yet", {
        detail: "The provider may have acted. Nothing is sent again until it is known; ask with the same key.",
        retryable: true,
        retryAfter: answer.retryAfterSeconds,
        extensions: { safeNewKey: false },
      });
    case "expired":
      return new AppError("idempotency.key_expired", 410, "The window of this key is over", {
        detail:
          answer.operation === undefined
            ? "Nothing was executed. Whether this key was used is not known any more; look for the effect before this command is sent under a new key."
            : "Nothing was executed. Look at the operation before this command is sent under a new key.",
        extensions: { safeNewKey: false },
      });
    case "purged":
      return noAnswerLeft(answer);
    case "refused":
      return answer.error;
  }
}

/** The outcome is known, its answer is not: the caller gets a reference, and nothing runs again. */
function noAnswerLeft({ why, resource }: Extract<ExecuteAnswer, { readonly outcome: "purged" }>): AppError {
  const extensions = { safeNewKey: false, ...(resource && { resource }) };
  const detail = "The operation is settled and nothing was executed again. What it made is named here.";
  return why === "too_large"
    ? new AppError("idempotency.response_too_large", 410, "The answer was too large to be kept", { detail, extensions })
    : new AppError("idempotency.response_purged", 410, "The stored answer was deleted", { detail, extensions });
}
