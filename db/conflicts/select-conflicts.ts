import { shownKey } from "@/db/operations/caller-key";
import { and, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { allColumns, anyOf, builder, pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { apiClients, conflictMarks, idempotencyBodies, idempotencyEvents, idempotencyRequests } from "@/db/schema";

const MS_PER_DAY = 86_400_000;

const e = alias(idempotencyEvents, "e");
const c = alias(apiClients, "c");
const r = alias(idempotencyRequests, "r");
const b = alias(idempotencyBodies, "b");
const m = alias(conflictMarks, "m");

export type ConflictEventRow = RowOf<typeof selectConflict>;

/** One conflict with its sealed command. Event ids are UUIDv7, so their day is in them. */
export async function selectConflict(q: Queryable, tenantId: string, eventId: string, day: string) {
  const query = select({
    ...pick(e, "id", "operationId", "operation", "at", "status", "detail", "command"),
    client: sql<string>`coalesce(${c.name}, ${e.client}, '')`,
  })
    .from(e)
    .leftJoin(c, and(eq(c.tenantId, e.tenantId), eq(c.id, e.client)))
    .where(
      and(
        eq(e.tenantId, tenantId),
        eq(e.id, eventId),
        eq(e.type, "conflict"),
        sql`${e.day} between ${day}::date - 1 and ${day}::date + 1`,
      ),
    );
  return (await rowsOf(q, query)).at(0);
}

export type ConflictCommandRow = RowOf<typeof selectConflictCommands>;

/** Both sealed commands of some conflicts, for the pattern of a group. @param days UTC days of the first and the last of them */
export async function selectConflictCommands(
  q: Queryable,
  tenantId: string,
  eventIds: readonly string[],
  days: { readonly first: string; readonly last: string },
) {
  const command = [
    eq(b.tenantId, r.tenantId),
    eq(b.day, r.bodyDay),
    eq(b.operationId, r.operationId),
    eq(b.kind, "command"),
  ];
  // A probe per day and id: the index of events begins with the day, and one condition for all days reads all their events before PostgreSQL 18.
  const named = builder
    .select(allColumns(e))
    .from(e)
    .where(and(eq(e.tenantId, tenantId), sql`${e.day} = d.day`, anyOf(e.id, eventIds)))
    .limit(eventIds.length)
    .as("e");
  const query = select({
    ...pick(e, "id", "operationId"),
    ...pick(r, "operation"),
    key: shownKey(r.key),
    /** Names of the differing fields, as the event keeps them. */
    fields: sql<unknown>`${e.detail} -> 'differingFields'`,
    second: e.command,
    first: b.body,
  })
    .from(sql`unnest(${sql.param(daysBetween(days.first, days.last))}::date[]) d(day)`)
    .crossJoinLateral(named)
    .innerJoin(r, and(eq(r.tenantId, e.tenantId), eq(r.operationId, e.operationId)))
    .leftJoin(b, and(...command))
    .where(eq(r.tenantId, tenantId));
  return eventIds.length === 0 ? [] : rowsOf(q, query);
}

/** Inclusive; as values, so that the planner knows how many. */
function daysBetween(first: string, last: string): readonly string[] {
  const days = [];
  for (let ms = Date.parse(first); ms <= Date.parse(last); ms += MS_PER_DAY)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/** Groups that somebody marked; a tenant has few pairs of client and operation. */
const MARKS = 500;

export type ConflictMarkRow = RowOf<typeof selectConflictMarks>;

/** Marks of the tenant, or the one of a group. */
export async function selectConflictMarks(
  q: Queryable,
  tenantId: string,
  group: { readonly client?: string | undefined; readonly operation?: string | undefined } = {},
) {
  const query = select(pick(m, "client", "operation", "mark", "note", "markedBy", "markedAt"))
    .from(m)
    .where(and(eq(m.tenantId, tenantId), same(m.client, group.client), same(m.operation, group.operation)))
    .orderBy(desc(m.markedAt))
    .limit(MARKS);
  return rowsOf(q, query);
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
export async function insertConflictMarks(db: Queryable, mark: ConflictMark): Promise<void> {
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
