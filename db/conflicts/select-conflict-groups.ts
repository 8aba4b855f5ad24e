import type { Queryable } from "@/db/client";
import { conditions, isConsoleAction, iso } from "../sql-text";
import { CONFLICT_IDS, type ConflictSearch } from "@/domain/lists/filters";

/** Conflicts that are grouped for a page, the newest of the window; older ones of a busier window are left out and said. */
export const CONFLICTS_READ = 1_000;
/** Marks of a spark, whatever the window. */
export const SPARK_SLOTS = 24;

/** As text, RFC 3339 UTC: only the days of it are looked at. */
export interface ConflictWindow {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive; of an open window, now. */
  readonly until: string;
  /** Nobody asked for an end: what a clock ahead of the database's wrote is in it too. */
  readonly open: boolean;
}

export interface ConflictGroupRow {
  readonly client: string;
  readonly operation: string;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  /** Newest first, at most CONFLICT_IDS. */
  readonly ids: readonly string[];
  /** One per conflict: its place in the window, 0 to SPARK_SLOTS - 1. */
  readonly slots: readonly number[];
  /** Lists of differing fields as they occurred, each once; whatever the events keep. */
  readonly fields: readonly unknown[];
  readonly mark: string | null;
  readonly note: string | null;
  readonly marked_by: string | null;
  readonly marked_at: string | null;
  /** Those that came after the mark. */
  readonly newer: number;
}

/**
 * The newest conflicts of a window by client and operation, from their own partial index; without commands. They are added up
 * where they lie: what a page gets is a row per group, however many there were.
 */
export async function selectConflictGroups(
  q: Queryable,
  tenantId: string,
  window: ConflictWindow,
  search: Pick<ConflictSearch, "client" | "operation">,
): Promise<ConflictGroupRow[]> {
  const where = conditions();
  const tenant = where.param(tenantId);
  where.add(`e.tenant_id = ${tenant} and e.type = 'conflict' and e.at >= ${where.param(window.from)}::timestamptz`);
  if (!window.open) where.add(`e.at < ${where.param(window.until)}::timestamptz`);
  // Days as values: what the planner knows it need not plan for, and there are many partitions.
  where.add(`e.day between ${where.param(dayOf(window.from))}::date and ${where.param(dayOf(window.until))}::date + 1`);
  if (search.client !== undefined) where.add(`coalesce(c.name, e.client, '') = ${where.param(search.client)}`);
  if (search.operation === undefined) where.add(`not (${isConsoleAction("e.operation")})`);
  where.equal("e.operation", search.operation);
  const slots = where.param(slotStarts(window));
  const { rows } = await q.query<ConflictGroupRow>({
    text: `with found as materialized (
  select e.id, e.at, e.operation, coalesce(c.name, e.client, '') as client, e.detail -> 'differingFields' as fields,
    width_bucket(e.at, ${slots}::timestamptz[]) as slot
  from onceboard.idempotency_events e
  left join onceboard.api_clients c on c.tenant_id = e.tenant_id and c.id = e.client
  where ${where.text()}
  order by e.at desc, e.id desc limit ${String(CONFLICTS_READ)}),
groups as (
  select f.client, f.operation, count(*)::int as count, min(f.at) as first_at, max(f.at) as last_at,
    to_json((array_agg(f.id order by f.at desc, f.id desc))[1:${String(CONFLICT_IDS)}]) as ids, json_agg(f.slot) as slots
  from found f group by 1, 2),
shapes as (
  select d.client, d.operation, jsonb_agg(d.fields) as fields
  from (select distinct f.client, f.operation, f.fields from found f) d group by 1, 2)
select g.client, g.operation, g.count, ${iso("g.first_at")} as first_at, ${iso("g.last_at")} as last_at, g.ids, g.slots, s.fields,
  m.mark, m.note, m.marked_by, ${iso("m.marked_at")} as marked_at,
  case when m.marked_at < g.last_at then (select count(*) from found f where f.client = g.client and f.operation = g.operation and f.at > m.marked_at)
    else 0 end::int as newer
from groups g
join shapes s using (client, operation)
left join onceboard.conflict_marks m on m.tenant_id = ${tenant} and m.client = g.client and m.operation = g.operation
order by g.count desc, g.last_at desc`,
    values: where.values,
  });
  return rows;
}

/** Where each part of the window but the first begins: a place among them is a part's number. */
function slotStarts({ from, until }: ConflictWindow): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(until)];
  const step = Math.max(0, last - first) / SPARK_SLOTS;
  return Array.from({ length: SPARK_SLOTS - 1 }, (_, index) => new Date(first + (index + 1) * step).toISOString());
}

/** The UTC day of a time. */
function dayOf(iso8601: string): string {
  return iso8601.slice(0, 10);
}
