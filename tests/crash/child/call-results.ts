import { createHash } from "node:crypto";
import { toAppError } from "@/domain/errors";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { CallResult } from "@/db/checks/oracles/recorder";
import { NO_RESULT } from "./protocol";

const LOCATION = /^\/api\/v1\/(payment|refund|account)s\/(.+)$/;

/** @returns what a caller gets, without the bytes */
export function callResultOf(answer: ExecuteAnswer): CallResult {
  const operationId = answer.operation?.operationId;
  switch (answer.outcome) {
    case "executed":
    case "replayed": {
      const { status, headers, body } = answer.response;
      const [, resourceType, resourceId] = LOCATION.exec(headers["location"] ?? "") ?? [];
      const bodyHash = createHash("sha256").update(body).digest("hex");
      return { ...NO_RESULT, outcome: answer.outcome, status, bodyHash, resourceType, resourceId, operationId };
    }
    case "refused": {
      const { status, code, certainty, retryable } = answer.error;
      return { ...NO_RESULT, outcome: "refused", status, code, certainty, retryable, operationId };
    }
    case "conflict":
    case "in_progress":
    case "unknown":
    case "expired":
    case "purged":
      return { ...NO_RESULT, outcome: answer.outcome, operationId };
  }
}

/** @returns what a caller gets when the call threw */
export function callResultOfError(error: unknown): CallResult {
  const { status, code, certainty, retryable } = toAppError(error);
  return { ...NO_RESULT, outcome: "error", status, code, certainty, retryable };
}
