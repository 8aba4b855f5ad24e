import type { ClaimRow } from "@/db/statements/claim";
import type { OperationState } from "@/domain/states";
import type { OperationFacts } from "./answer";

/** @param state what the operation is now, when it moved since the row was read */
export function factsOf(row: ClaimRow, state: OperationState = row.state): OperationFacts {
  return { operationId: row.operation_id, state, createdAt: row.created_at, expiresAt: row.expires_at };
}
