import type { Queryable } from "@/db/client";
import type { OperationState } from "@/domain/states";

export interface OperationForAction {
  readonly operation: string;
  readonly state: OperationState;
  readonly fence: number;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly error_code: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly body_purged_at: Date | null;
  readonly leased: boolean;
  readonly stage: string | null;
}

/** What an operator's action looks at before and after. Never a body. */
export async function operationForAction(
  db: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationForAction | undefined> {
  const { rows } = await db.query<OperationForAction>({
    name: "operation_for_action",
    text: `select r.operation, r.state, r.fence, r.attempts, r.response_status, r.error_code, r.resource_type, r.resource_id,
             r.body_purged_at, coalesce(o.locked_until > clock_timestamp(), false) as leased, o.stage
           from onceboard.idempotency_requests r
           left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
           where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}
