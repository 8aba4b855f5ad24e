import type { Queryable } from "@/db/client";
import type { InboxState } from "@/domain/idempotency/states";
import { conditions, iso, type Conditions } from "../sql-text";
import { type DayPlace, type ExportWindow, withinDays } from "./window";
import type { InboxExportFilters } from "@/domain/lists/filters";

export interface ArrivalExportRow extends DayPlace {
  readonly message_id: string;
  readonly source: string;
  readonly at: string;
  readonly arrival: "recorded" | "duplicate" | "mismatch";
  readonly state: InboxState;
  readonly processed_at: string | null;
  readonly result: string | null;
}

type Search = Pick<InboxExportFilters, "consumer" | "source" | "messageId">;

const FROM = `from onceboard.inbox_arrivals a
join onceboard.inbox_messages m on m.tenant_id = a.tenant_id and m.id = a.inbox_id`;

function arrivalsWhere(tenantId: string, search: Search, window: ExportWindow, after?: DayPlace): Conditions {
  const where = conditions();
  where.equal("a.tenant_id", tenantId);
  where.equal("m.consumer", search.consumer);
  where.equal("m.source", search.source);
  where.equal("m.message_id", search.messageId);
  withinDays(where, "a", window, after);
  return where;
}

/** Every arrival of a window, also the ones that came again, in order of time: one row for each consumer. */
export async function selectInboxArrivals(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  page: { readonly after: DayPlace | undefined; readonly limit: number },
): Promise<ArrivalExportRow[]> {
  const where = arrivalsWhere(tenantId, search, window, page.after);
  const { rows } = await q.query<ArrivalExportRow>({
    text: `select a.day::text as day, a.id, m.message_id, m.source, ${iso("a.at")} as at, a.outcome as arrival, m.state, ${iso("m.processed_at")} as processed_at, m.result
${FROM}
where ${where.text()}
order by a.day, a.id limit ${where.param(page.limit)}`,
    values: where.values,
  });
  return rows;
}

/** @returns how many there are, counted no further than the limit. */
export async function countInboxArrivals(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  limit: number,
): Promise<number> {
  const where = arrivalsWhere(tenantId, search, window);
  const { rows } = await q.query<{ count: number }>({
    text: `select count(*)::integer as count from (select 1 ${FROM} where ${where.text()} limit ${where.param(limit)}) x`,
    values: where.values,
  });
  return rows[0]?.count ?? 0;
}
