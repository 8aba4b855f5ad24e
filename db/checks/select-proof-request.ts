import type { Queryable } from "@/db/client";
import type { OperationState, Stage } from "@/domain/idempotency/states";
import { CLIENT_JOIN } from "../operations/select-operations";
import { iso } from "../sql-text";

/** Rows of one key that are read: one is all there may be. */
const HOLDERS = 10;

export interface ProofRequestRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  readonly client: string;
  readonly state: OperationState;
  readonly fence: number;
  readonly response_status: number | null;
  readonly error_code: string | null;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly replay: "stored" | "reference" | "none";
  readonly account_id: string | null;
  readonly reference: string | null;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly body_day: string;
  readonly body_purged_at: string | null;
  readonly stage: Stage | null;
  readonly locked_until: string | null;
  readonly unknown_since: string | null;
  readonly provider_key: string | null;
  /** Time of the snapshot. */
  readonly at: string;
}

/** The key row of one operation with its open row, if it has one. */
export async function selectProofRequest(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<ProofRequestRow | undefined> {
  const { rows } = await q.query<ProofRequestRow>({
    text: `select r.operation_id, r.operation, r.key, coalesce(c.name, r.principal) as client, r.state, r.fence, r.response_status, r.error_code,
  r.resource_type, r.resource_id, r.replay, r.account_id, r.reference, r.amount_minor, r.currency, ${iso("r.created_at")} as created_at,
  ${iso("r.completed_at")} as completed_at, ${iso("r.expires_at")} as expires_at, r.body_day, ${iso("r.body_purged_at")} as body_purged_at,
  o.stage, ${iso("o.locked_until")} as locked_until, ${iso("o.unknown_since")} as unknown_since, o.provider_key, ${iso("now()")} as at
from onceboard.idempotency_requests r
left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
${CLIENT_JOIN}
where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}

/** @param key as stored. @returns ids of the operations that hold it under this name */
export async function selectKeyHolders(
  q: Queryable,
  tenantId: string,
  operation: string,
  key: string,
): Promise<string[]> {
  const { rows } = await q.query<{ operation_id: string }>({
    text: `select r.operation_id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.operation = $2 and r.key = $3 order by r.operation_id limit $4`,
    values: [tenantId, operation, key, HOLDERS],
  });
  return rows.map((row) => row.operation_id);
}
