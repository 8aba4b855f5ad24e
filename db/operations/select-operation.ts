import { actorName } from "@/db/access/actor-names";
import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";
import { CLIENT_JOIN, OPERATION_COLUMNS, type OperationListRow } from "./select-operations";

export interface OperationDetailRow extends Omit<OperationListRow, "sort_value"> {
  readonly fingerprint: Buffer;
  readonly fingerprint_version: number;
  readonly api_version: string;
  readonly fence: number;
  readonly attempts: number;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly body_day: string;
  readonly body_purged_at: string | null;
  /** Where a replay finds its answer, decided when the operation settled. */
  readonly replay: "stored" | "reference" | "none";
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly owner: string | null;
  readonly locked_until: string | null;
  readonly provider_key: string | null;
  readonly unknown_since: string | null;
  readonly next_check_at: string | null;
  readonly checks: number;
  readonly last_finding: string | null;
  /** Name of who looks after it. */
  readonly assigned_to: string | null;
}

/** One operation with its open row, if it has one. */
export async function selectOperation(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationDetailRow | undefined> {
  const { rows } = await q.query<OperationDetailRow>({
    text: `select ${OPERATION_COLUMNS}, r.fingerprint, r.fingerprint_version, r.api_version, r.fence, r.attempts, r.resource_type, r.resource_id,
  r.body_day, ${iso("r.body_purged_at")} as body_purged_at, r.replay, ${iso("r.completed_at")} as completed_at, ${iso("r.expires_at")} as expires_at,
  o.owner, ${iso("o.locked_until")} as locked_until, o.provider_key, ${iso("o.unknown_since")} as unknown_since,
  ${iso("o.next_check_at")} as next_check_at, coalesce(o.checks, 0) as checks, o.last_finding, ${actorName("o.assigned_to", "o.tenant_id")} as assigned_to
from onceboard.idempotency_requests r
left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
${CLIENT_JOIN}
where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows[0];
}

/** A text that changes with everything the page of one operation shows; each part is one look into an index. */
export async function selectOperationMark(q: Queryable, tenantId: string, operationId: string): Promise<string | null> {
  const { rows } = await q.query<{ mark: string }>({
    text: `select concat_ws('/',
  (select updated_at from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2),
  (select at from onceboard.idempotency_events where tenant_id = $1 and operation_id = $2 order by at desc limit 1),
  (select count(*) from onceboard.outbox_messages where tenant_id = $1 and operation_id = $2),
  (select string_agg(m.state || coalesce(o.attempts_started, m.attempts_started), ',' order by m.id) from onceboard.inbox_messages m
    left join onceboard.inbox_open o on o.tenant_id = $1 and o.id = m.id where m.tenant_id = $1 and m.operation_id = $2),
  (select count(*) from onceboard.ledger_entries where tenant_id = $1 and operation_id = $2)) as mark`,
    values: [tenantId, operationId],
  });
  return rows[0]?.mark ?? null;
}
