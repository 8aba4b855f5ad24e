import type { DeadLetterScope } from "@/domain/filters/dead-letters";
import { conditions, iso, type Conditions } from "../sql-text";

export interface LetterRow {
  readonly id: string;
  readonly side: "outbox" | "inbox";
  readonly message_row_id: string;
  readonly place: string;
  readonly type: string;
  readonly operation_id: string | null;
  readonly error_fingerprint: string;
  readonly error_code: string;
  readonly error: string;
  readonly attempts: number;
  /** RFC 3339 with microseconds. */
  readonly dead_at: string;
  readonly settled_at: string | null;
  readonly settled_by: string | null;
  readonly settlement: "requeued" | "closed" | "discarded" | null;
  readonly reason: string | null;
}

export const LETTER_COLUMNS = `d.id, d.side, d.message_row_id, d.place, d.type, d.operation_id, d.error_fingerprint, d.error_code, d.error, d.attempts,
  ${iso("d.dead_at")} as dead_at, ${iso("d.settled_at")} as settled_at, d.settled_by, d.settlement, d.reason`;

/** Conditions on `onceboard.dead_letters d`. @param settled also those that were settled since */
export function inScope(tenantId: string, scope: DeadLetterScope, settled: boolean): Conditions {
  const where = conditions();
  where.equal("d.tenant_id", tenantId);
  if (!settled) where.add("d.settled_at is null");
  where.equal("d.side", scope.side);
  where.equal("d.place", scope.place);
  where.equal("d.type", scope.type);
  where.equal("d.error_code", scope.error);
  where.equal("d.error_fingerprint", scope.fingerprint);
  if (scope.operationId !== undefined) where.add(`d.operation_id = ${where.param(scope.operationId)}::uuid`);
  if (scope.from !== undefined) where.add(`d.dead_at >= ${where.param(scope.from)}::timestamptz`);
  if (scope.to !== undefined) where.add(`d.dead_at < ${where.param(scope.to)}::timestamptz`);
  return where;
}
