import type { ClaimRow } from "@/db/operations/claim";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { OperationState } from "@/domain/idempotency/states";
import type { AppError } from "@/domain/errors";
import { schemaVersionOf, type Versions } from "./versions";

/** The answer that an operation keeps for its key: what the first caller got and every replay gets, byte for byte. */
export interface StoredResponse {
  readonly status: number;
  /** Allow-listed headers only: content-type, location, etag. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Facts about the operation that go with every answer. */
export interface OperationFacts {
  readonly operationId: string;
  readonly state: OperationState;
  readonly createdAt: Date;
  readonly completedAt: Date | undefined;
  readonly expiresAt: Date;
}

/** @param state what the operation is now, when it moved since the row was read */
export function operationFacts(row: ClaimRow, state: OperationState = row.state): OperationFacts {
  const { operation_id: operationId, created_at: createdAt, completed_at: completedAt, expires_at: expiresAt } = row;
  if (createdAt === null || expiresAt === null) throw new Error(`operation ${operationId} has no record`);
  return { operationId, state, createdAt, completedAt: completedAt ?? undefined, expiresAt };
}

/** @returns the answer of the caller whose request settled the operation */
export function executedAnswer(
  definition: { readonly schemaVersion: string; readonly versions?: Versions },
  row: ClaimRow,
  settled: {
    readonly response: StoredResponse;
    readonly state: OperationState;
    readonly refusal?: AppError | undefined;
  },
): ExecuteAnswer {
  const { response, refusal, state } = settled;
  const operation = operationFacts(row, state);
  const schemaVersion = schemaVersionOf(definition, row.api_version);
  return { outcome: "executed", operation, response, schemaVersion, by: "stored", errorCode: refusal?.code };
}

/**
 * What the engine decided about one request. A wire profile only renders it. `refused` is a definite refusal or an indefinite
 * failure of *this* request; its `error` says which, and whether a retry with the same key can help.
 */
export type ExecuteAnswer =
  | {
      readonly outcome: "executed" | "replayed";
      readonly operation: OperationFacts;
      readonly response: StoredResponse;
      /** Of the body, as it was when the operation settled; of today's body when it is by reference. */
      readonly schemaVersion: string;
      /** The bytes of the first answer, or the resource as it is now. */
      readonly by: "stored" | "reference";
      /** Of a refusal that is the answer of its key for good. */
      readonly errorCode?: string | undefined;
    }
  | {
      readonly outcome: "conflict";
      /** Absent when the key belongs to another principal: nothing is said about its operation. */
      readonly operation: OperationFacts | undefined;
      /** Names of the fields that differ, never values. */
      readonly differingFields: readonly string[];
      /** Hash of the first arguments as they were sent; absent with the operation, and once they are purged. */
      readonly originalArgumentsHash?: string | undefined;
    }
  | {
      readonly outcome: "in_progress";
      readonly operation: OperationFacts | undefined;
      /** `accepted`: 202 and where to look, for operations that chose it; else 409. */
      readonly mode: "conflict" | "accepted";
      readonly retryAfterSeconds: number;
    }
  | { readonly outcome: "unknown"; readonly operation: OperationFacts; readonly retryAfterSeconds: number }
  /** Without an operation: a UUIDv7 key that is older than everything we still know of. */
  | { readonly outcome: "expired"; readonly operation: OperationFacts | undefined }
  /** There is no answer to repeat: the answer names what was made, and nothing runs again. */
  | {
      readonly outcome: "purged";
      readonly why: "purged" | "too_large";
      readonly operation: OperationFacts;
      readonly resource: { readonly type: string; readonly id: string } | undefined;
    }
  | { readonly outcome: "refused"; readonly operation: OperationFacts | undefined; readonly error: AppError };

const ACCEPTED = 202;
const CONFLICT = 409;
const GONE = 410;

/** @returns the HTTP status and the error code of an answer, as events and logs keep them */
export function answerStatus(
  answer: ExecuteAnswer,
  policy: Pick<OperationPolicy, "mismatchStatus">,
): { readonly status: number; readonly code: string | undefined } {
  switch (answer.outcome) {
    case "executed":
    case "replayed":
      return { status: answer.response.status, code: answer.errorCode };
    case "conflict":
      return { status: policy.mismatchStatus, code: "idempotency.payload_mismatch" };
    case "in_progress":
      return { status: answer.mode === "accepted" ? ACCEPTED : CONFLICT, code: "idempotency.in_progress" };
    case "unknown":
      return { status: CONFLICT, code: "idempotency.outcome_unknown" };
    case "expired":
      return { status: GONE, code: "idempotency.key_expired" };
    case "purged": {
      const tooLarge = answer.why === "too_large";
      return { status: GONE, code: `idempotency.response_${tooLarge ? "too_large" : "purged"}` };
    }
    case "refused":
      return { status: answer.error.status, code: answer.error.code };
  }
}
