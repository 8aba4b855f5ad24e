import type { ExecuteAnswer, OperationFacts, StoredResponse } from "@/engine/execute/answer";
import type { ResourceName } from "@/engine/execute/operation";

/** What became of one request. None of these is an error of the program, so none is thrown. */
export type OnceResult =
  /** The work ran, and its rows, its messages and its answer are committed. */
  | { readonly outcome: "executed"; readonly operation: OperationFacts; readonly response: StoredResponse }
  /** The work ran before; this is its answer, byte for byte. */
  | { readonly outcome: "replayed"; readonly operation: OperationFacts; readonly response: StoredResponse }
  /** The work refused, and the policy lets refusals bind nothing: all of it is taken back, and the key is as new. */
  | { readonly outcome: "refused"; readonly code: string; readonly response: StoredResponse }
  /** The key stands for another command. Names of fields only, never values; no operation where it is another principal's. */
  | {
      readonly outcome: "conflict";
      readonly operation: OperationFacts | undefined;
      readonly differingFields: readonly string[];
    }
  | {
      readonly outcome: "in_progress";
      readonly operation: OperationFacts | undefined;
      readonly retryAfterSeconds: number;
    }
  /** A provider may have acted and nobody knows. */
  | { readonly outcome: "unknown"; readonly operation: OperationFacts; readonly retryAfterSeconds: number }
  /** The window of the key is over. */
  | { readonly outcome: "expired"; readonly operation: OperationFacts | undefined }
  /** An owner that died held the key; nothing took effect, and the same key may run now. */
  | { readonly outcome: "released"; readonly operation: OperationFacts | undefined }
  /** Tried as often as the policy allows, without effect. */
  | { readonly outcome: "exhausted"; readonly operation: OperationFacts | undefined }
  /** Settled; its answer was deleted or was too large to keep. */
  | {
      readonly outcome: "purged";
      readonly why: "purged" | "too_large";
      readonly operation: OperationFacts;
      readonly resource: ResourceName | undefined;
    };

const EXHAUSTED = "idempotency.attempts_exhausted";
const OWNER_LOST = "transient.owner_lost";

/** @throws AppError for what is no decision about the key */
export function onceResult(answer: ExecuteAnswer): OnceResult {
  switch (answer.outcome) {
    case "executed":
    case "replayed": {
      const { outcome, operation, response } = answer;
      return { outcome, operation, response };
    }
    case "conflict": {
      const { operation, differingFields } = answer;
      return { outcome: "conflict", operation, differingFields };
    }
    case "in_progress": {
      const { operation, retryAfterSeconds } = answer;
      return { outcome: "in_progress", operation, retryAfterSeconds };
    }
    case "unknown":
    case "expired":
    case "purged":
      return answer;
    case "refused":
      if (answer.error.code === EXHAUSTED) return { outcome: "exhausted", operation: answer.operation };
      if (answer.error.code === OWNER_LOST) return { outcome: "released", operation: answer.operation };
      throw answer.error;
  }
}
