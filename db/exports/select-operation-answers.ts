import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";
import type { AnswerOutcome } from "@/domain/idempotency/states";

export interface OperationAnswerRow {
  readonly id: string;
  readonly at: string;
  readonly outcome: AnswerOutcome;
  readonly delay_ms: number | null;
  readonly status: number | null;
  readonly code: string | null;
}

export interface TimePlace {
  readonly at: string;
  readonly id: string;
}

/** What the requests of one operation were answered, oldest first. @param since its creation, RFC 3339 */
export async function selectOperationAnswers(
  q: Queryable,
  tenantId: string,
  operation: { readonly operationId: string; readonly since: string },
  page: { readonly after: TimePlace | undefined; readonly limit: number },
): Promise<OperationAnswerRow[]> {
  const { rows } = await q.query<OperationAnswerRow>({
    text: `select e.id, ${iso("e.at")} as at, e.outcome, e.delay_ms, e.status, e.code from onceboard.idempotency_events e
where e.tenant_id = $1 and e.operation_id = $2 and e.outcome is not null
  and e.day >= (coalesce($4::timestamptz, $3::timestamptz) at time zone 'utc')::date
  and ($4::timestamptz is null or (e.at, e.id) > ($4::timestamptz, $5::uuid))
order by e.at, e.id limit $6`,
    values: [
      tenantId,
      operation.operationId,
      operation.since,
      page.after?.at ?? null,
      page.after?.id ?? null,
      page.limit,
    ],
  });
  return rows;
}

/** @returns how many there are, counted no further than the limit. */
export async function countOperationAnswers(
  q: Queryable,
  tenantId: string,
  operation: { readonly operationId: string; readonly since: string },
  limit: number,
): Promise<number> {
  const { rows } = await q.query<{ count: number }>({
    text: `select count(*)::integer as count from (
  select 1 from onceboard.idempotency_events e where e.tenant_id = $1 and e.operation_id = $2 and e.outcome is not null
    and e.day >= ($3::timestamptz at time zone 'utc')::date limit $4) x`,
    values: [tenantId, operation.operationId, operation.since, limit],
  });
  return rows[0]?.count ?? 0;
}

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
