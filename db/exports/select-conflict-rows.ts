import type { Queryable } from "@/db/client";
import { keyset, within, type PageRequest, type SortColumns } from "../paging";
import { conditions, isConsoleAction, iso } from "../sql-text";
import { windowHours } from "@/domain/lists/window";
import { type ConflictFilters, conflictWindow } from "@/domain/lists/filters";

export interface ConflictExportRow {
  readonly id: string;
  readonly at: string;
  readonly client: string;
  readonly operation: string;
  readonly operation_id: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export const CONFLICT_SORT: SortColumns = { value: "e.at", type: "timestamptz", id: "e.id", idType: "uuid" };

/** Conflicts of a window one by one, newest first, `limit + 1` rows, from their own partial index. */
export async function selectConflictRows(
  q: Queryable,
  tenantId: string,
  filters: ConflictFilters,
  page: PageRequest,
): Promise<ConflictExportRow[]> {
  const where = conditions();
  const window = conflictWindow(filters);
  const hours = windowHours(window);
  const since =
    hours === undefined
      ? `${where.param(window.from)}::timestamptz`
      : `now() - make_interval(hours => ${where.param(hours)})`;
  where.equal("e.tenant_id", tenantId);
  where.add(`e.type = 'conflict' and e.day >= ((${since}) at time zone 'utc')::date`);
  within(where, "e.at", window);
  if (window.to !== undefined) where.add(`e.day <= (${where.param(window.to)}::timestamptz at time zone 'utc')::date`);
  if (page.cursor !== undefined)
    where.add(`e.day <= (${where.param(page.cursor.value)}::timestamptz at time zone 'utc')::date`);
  if (filters.client !== undefined) where.add(`coalesce(c.name, e.client, '') = ${where.param(filters.client)}`);
  if (filters.operation === undefined) where.add(`not (${isConsoleAction("e.operation")})`);
  where.equal("e.operation", filters.operation);
  const tail = keyset(where, CONFLICT_SORT, page);
  const { rows } = await q.query<ConflictExportRow>({
    text: `select e.id, ${iso("e.at")} as at, coalesce(c.name, e.client, '') as client, e.operation, e.operation_id, e.status, e.request_id, e.detail
from onceboard.idempotency_events e
left join onceboard.api_clients c on c.tenant_id = e.tenant_id and c.id = e.client
where ${where.text()}
${tail}`,
    values: where.values,
  });
  return rows;
}
