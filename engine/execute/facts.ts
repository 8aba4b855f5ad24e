import type { ClaimRow } from "@/db/operations/claim";
import type { OperationState } from "@/domain/idempotency/states";
import type { OperationFacts } from "./answer";

/** @param state what the operation is now, when it moved since the row was read */
export function factsOf(row: ClaimRow, state: OperationState = row.state): OperationFacts {
  const { operation_id: operationId, created_at: createdAt, completed_at: completedAt, expires_at: expiresAt } = row;
  if (createdAt === null || expiresAt === null) throw new Error(`operation ${operationId} has no record`);
  return { operationId, state, createdAt, completedAt: completedAt ?? undefined, expiresAt };
}
