import type { Queryable } from "@/db/client";
import type { OperationState, Stage } from "@/domain/states";

export interface OperationStatusRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly state: OperationState;
  readonly stage: Stage | null;
  readonly response_status: number | null;
  readonly response_schema_version: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly error_code: string | null;
  readonly attempts: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
  /** By the database's clock. */
  readonly expired: boolean;
  /** Milliseconds until the lease ends or the next look-up is due; null when nothing is open. */
  readonly due_in_ms: number | null;
}

/** What a caller may know of its operation: never the key, the command or the stored answer. One round trip by index. */
export async function operationStatus(
  db: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationStatusRow | undefined> {
  const { rows } = await db.query<OperationStatusRow>({
    name: "operation_status",
    text: `select r.operation_id, r.operation, r.state, o.stage, r.response_status, r.response_schema_version,
                  r.resource_type, r.resource_id, r.error_code, r.attempts, r.created_at, r.completed_at, r.expires_at,
                  r.expires_at <= clock_timestamp() as expired,
                  (extract(epoch from coalesce(o.locked_until, o.next_check_at) - clock_timestamp()) * 1000)::float8 as due_in_ms
             from onceboard.idempotency_requests r
             left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
            where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}
