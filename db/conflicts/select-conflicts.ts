import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";

export interface ConflictEventRow {
  readonly id: string;
  readonly operation_id: string;
  readonly operation: string;
  readonly at: string;
  readonly client: string;
  readonly status: number | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly command: Buffer | null;
}

/** One conflict with its sealed command. Event ids are UUIDv7, so their day is in them. */
export async function selectConflict(
  q: Queryable,
  tenantId: string,
  eventId: string,
  day: string,
): Promise<ConflictEventRow | undefined> {
  const { rows } = await q.query<ConflictEventRow>({
    text: `select e.id, e.operation_id, e.operation, ${iso("e.at")} as at, coalesce(c.name, e.client, '') as client, e.status, e.detail, e.command
from onceboard.idempotency_events e
left join onceboard.api_clients c on c.tenant_id = e.tenant_id and c.id = e.client
where e.tenant_id = $1 and e.id = $2 and e.type = 'conflict' and e.day between $3::date - 1 and $3::date + 1`,
    values: [tenantId, eventId, day],
  });
  return rows[0];
}

export interface ConflictCommandRow {
  readonly id: string;
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  /** Names of the differing fields, as the event keeps them. */
  readonly fields: unknown;
  readonly second: Buffer | null;
  readonly first: Buffer | null;
}

/** Both sealed commands of some conflicts, for the pattern of a group. @param days UTC days of the first and the last of them */
export async function selectConflictCommands(
  q: Queryable,
  tenantId: string,
  eventIds: readonly string[],
  days: { readonly first: string; readonly last: string },
): Promise<ConflictCommandRow[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await q.query<ConflictCommandRow>({
    text: `select e.id, e.operation_id, r.operation, r.key, e.detail -> 'differingFields' as fields, e.command as second, b.body as first
from onceboard.idempotency_events e
join onceboard.idempotency_requests r on r.tenant_id = e.tenant_id and r.operation_id = e.operation_id
left join onceboard.idempotency_bodies b on b.tenant_id = r.tenant_id and b.day = r.body_day and b.operation_id = r.operation_id and b.kind = 'command'
where e.tenant_id = $1 and r.tenant_id = $1 and e.id = any($2::uuid[]) and e.day between $3::date and $4::date`,
    values: [tenantId, eventIds, days.first, days.last],
  });
  return rows;
}

/** Groups that somebody marked; a tenant has few pairs of client and operation. */
const MARKS = 500;

export interface ConflictMarkRow {
  readonly client: string;
  readonly operation: string;
  readonly mark: string;
  readonly note: string;
  readonly marked_by: string;
  readonly marked_at: string;
}

/** Marks of the tenant, or the one of a group. */
export async function selectConflictMarks(
  q: Queryable,
  tenantId: string,
  group: { readonly client?: string | undefined; readonly operation?: string | undefined } = {},
): Promise<ConflictMarkRow[]> {
  const { rows } = await q.query<ConflictMarkRow>({
    text: `select m.client, m.operation, m.mark, m.note, m.marked_by, ${iso("m.marked_at")} as marked_at
from onceboard.conflict_marks m
where m.tenant_id = $1 and ($2::text is null or m.client = $2) and ($3::text is null or m.operation = $3)
order by m.marked_at desc limit ${String(MARKS)}`,
    values: [tenantId, group.client ?? null, group.operation ?? null],
  });
  return rows;
}

export interface ConflictMark {
  readonly tenantId: string;
  readonly client: string;
  readonly operation: string;
  readonly mark: "client_fault" | "ours";
  readonly note: string;
  readonly by: string;
}

/** Says whose fault the conflicts of a client and operation are, up to now; an earlier mark is replaced. */
export async function markConflicts(db: Queryable, mark: ConflictMark): Promise<void> {
  await db.query({
    name: "mark_conflicts",
    text: `insert into onceboard.conflict_marks (tenant_id, client, operation, mark, note, marked_by, marked_at)
           values ($1, $2, $3, $4, $5, $6, clock_timestamp())
           on conflict (tenant_id, client, operation) do update
             set mark = excluded.mark, note = excluded.note, marked_by = excluded.marked_by, marked_at = excluded.marked_at`,
    values: [mark.tenantId, mark.client, mark.operation, mark.mark, mark.note, mark.by],
  });
}

/** Takes the mark back. @returns whether there was one */
export async function unmarkConflicts(
  db: Queryable,
  { tenantId, client, operation }: Pick<ConflictMark, "tenantId" | "client" | "operation">,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "unmark_conflicts",
    text: "delete from onceboard.conflict_marks where tenant_id = $1 and client = $2 and operation = $3",
    values: [tenantId, client, operation],
  });
  return (rowCount ?? 0) > 0;
}
