import type { Queryable } from "@/db/client";

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
