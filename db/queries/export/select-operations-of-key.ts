import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface OperationOfKeyRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly created_at: string;
}

/** Names of operations that one key stands for; more of them than this are not told apart. */
const MOST = 20;

/** One operation by its id, or all that a key stands for. */
export async function selectOperationsOfKey(
  q: Queryable,
  tenantId: string,
  by: {
    readonly operationId?: string | undefined;
    readonly key?: string | undefined;
    readonly operation?: string | undefined;
  },
): Promise<OperationOfKeyRow[]> {
  const { rows } = await q.query<OperationOfKeyRow>({
    text: `select r.operation_id, r.operation, ${iso("r.created_at")} as created_at from onceboard.idempotency_requests r
where r.tenant_id = $1 and (r.operation_id = $2::uuid or ($2::uuid is null and r.key = $3)) and ($4::text is null or r.operation = $4)
order by r.created_at desc limit $5`,
    values: [tenantId, by.operationId ?? null, by.key ?? null, by.operation ?? null, MOST],
  });
  return rows;
}
