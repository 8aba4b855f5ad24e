import { and, eq, sql } from "drizzle-orm";
import { actorName } from "@/db/access/actor-names";
import type { Queryable } from "@/db/client";
import { rowsOf, select, timeText, type RowOf } from "@/db/query";
import { c, ITS_CLIENT, ITS_OPEN, o, OPERATION_FIELDS, r } from "./select-operations";

export type OperationDetailRow = RowOf<typeof selectOperation>;

const DETAIL_FIELDS = {
  ...OPERATION_FIELDS,
  fingerprint: r.fingerprint,
  fingerprint_version: r.fingerprintVersion,
  api_version: r.apiVersion,
  fence: r.fence,
  attempts: r.attempts,
  resource_type: r.resourceType,
  resource_id: r.resourceId,
  body_day: r.bodyDay,
  body_purged_at: timeText(r.bodyPurgedAt),
  /** Where a replay finds its answer, decided when the operation settled. */
  replay: r.replay,
  completed_at: timeText(r.completedAt),
  expires_at: timeText(r.expiresAt),
  owner: o.owner,
  locked_until: timeText(o.lockedUntil),
  provider_key: o.providerKey,
  unknown_since: timeText(o.unknownSince),
  next_check_at: timeText(o.nextCheckAt),
  checks: sql<number>`coalesce(${o.checks}, 0)`,
  last_finding: o.lastFinding,
  /** Name of who looks after it. */
  assigned_to: actorName(o.assignedTo, o.tenantId),
};

/** One operation with its open row, if it has one. */
export async function selectOperation(q: Queryable, tenantId: string, operationId: string) {
  const its = and(eq(r.tenantId, tenantId), eq(r.operationId, operationId));
  const query = select(DETAIL_FIELDS).from(r).leftJoin(o, ITS_OPEN).leftJoin(c, ITS_CLIENT).where(its);
  return (await rowsOf(q, query)).at(0);
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
