import type { Queryable } from "@/db/client";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { conditions, isConsoleAction, type Conditions } from "../sql-text";
import { type DayPlace, type ExportWindow, withinDays } from "./window";
import type { ReplayOutcomeFilters } from "@/domain/lists/filters";

export interface AnswerExportRow extends DayPlace {
  readonly operation_id: string;
  /** Null once the operation's metadata is purged. */
  readonly key: string | null;
  /** Hex. Of the request's own command where it was another one than the key's. */
  readonly payload_hash: string | null;
  readonly outcome: AnswerOutcome;
  readonly status: number | null;
  readonly code: string | null;
  readonly resource_id: string | null;
}

type Search = Pick<ReplayOutcomeFilters, "operation" | "client">;

function answersWhere(tenantId: string, search: Search, window: ExportWindow, after?: DayPlace): Conditions {
  const where = conditions();
  where.equal("e.tenant_id", tenantId);
  where.add("e.outcome is not null");
  if (search.operation === undefined) where.add(`not (${isConsoleAction("e.operation")})`);
  where.equal("e.operation", search.operation);
  where.equal("e.client", search.client);
  withinDays(where, "e", window, after);
  return where;
}

/** What every request of a window was answered, in order of time. */
export async function selectAnswers(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  page: { readonly after: DayPlace | undefined; readonly limit: number },
): Promise<AnswerExportRow[]> {
  const where = answersWhere(tenantId, search, window, page.after);
  const { rows } = await q.query<AnswerExportRow>({
    text: `select e.day::text as day, e.id, e.operation_id, r.key, e.outcome, e.status, e.code, r.resource_id,
  case when e.outcome = 'conflict' then e.detail->>'payloadHash' else encode(r.fingerprint, 'hex') end as payload_hash
from onceboard.idempotency_events e
left join onceboard.idempotency_requests r on r.tenant_id = e.tenant_id and r.operation_id = e.operation_id
where ${where.text()}
order by e.day, e.id limit ${where.param(page.limit)}`,
    values: where.values,
  });
  return rows;
}

/** @returns how many there are, counted no further than the limit. */
export async function countAnswers(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  limit: number,
): Promise<number> {
  const where = answersWhere(tenantId, search, window);
  const { rows } = await q.query<{ count: number }>({
    text: `select count(*)::integer as count from (select 1 from onceboard.idempotency_events e where ${where.text()} limit ${where.param(limit)}) x`,
    values: where.values,
  });
  return rows[0]?.count ?? 0;
}
