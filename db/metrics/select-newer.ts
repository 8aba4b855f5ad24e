import { and, desc, eq, gt, gte, isNull, lt, not, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { COUNT, dayOf, isConsole, rowsOf, select, subselect } from "@/db/query";
import {
  auditEntries,
  deadLetters,
  idempotencyEvents,
  idempotencyOpen,
  idempotencyRequests,
  inboxMessages,
  outboxMessages,
  plans,
} from "@/db/schema";

/** Newer rows counted at the most. */
const NEWER = 100;

const r = alias(idempotencyRequests, "r");
const e = alias(idempotencyEvents, "e");

interface Source {
  readonly table: PgTable & Readonly<Record<"tenantId", PgColumn>>;
  readonly at: PgColumn;
  /** Which of its rows the list shows. */
  readonly only?: (since: string) => SQL | undefined;
}

const SOURCES = {
  operations: { table: r, at: r.createdAt, only: () => not(isConsole(r.operation)) },
  inbox: { table: inboxMessages, at: inboxMessages.receivedAt },
  outbox: { table: outboxMessages, at: outboxMessages.createdAt },
  audit: { table: auditEntries, at: auditEntries.at },
  conflicts: {
    table: e,
    at: e.at,
    // As text: the partial index is found by the constant alone.
    only: (since) => and(sql`${e.type} = 'conflict'`, not(isConsole(e.operation)), gte(e.day, dayOf(since))),
  },
  attention: { table: idempotencyOpen, at: idempotencyOpen.unknownSince },
  "dead-letters": { table: deadLetters, at: deadLetters.deadAt, only: () => isNull(deadLetters.settledAt) },
  plans: { table: plans, at: plans.createdAt },
} as const satisfies Readonly<Record<string, Source>>;
export type NewerList = keyof typeof SOURCES;

export function isNewerList(name: string): name is NewerList {
  return Object.hasOwn(SOURCES, name);
}

/** What is open of these is listed whatever the window: it has no end. */
const ENDLESS: readonly NewerList[] = ["outbox", "attention", "plans"];

/**
 * Rows of a list that arrived after a moment, at most NEWER, and its newest time.
 * @param since RFC 3339 @param until end of the list's window; nothing from it on is counted
 */
export async function selectNewer(
  q: Queryable,
  tenantId: string,
  list: NewerList,
  since: string,
  until?: string,
): Promise<{ newer: number; newest?: string | undefined }> {
  const { table, at, only }: Source = SOURCES[list];
  const end = ENDLESS.includes(list) ? undefined : until;
  const n = subselect({ at: sql<Date>`${at}` })
    .from(table)
    .where(
      and(
        eq(table.tenantId, tenantId),
        gt(at, sql`${since}::timestamptz`),
        end === undefined ? undefined : lt(at, sql`${end}::timestamptz`),
        only?.(since),
      ),
    )
    .orderBy(desc(at))
    .limit(NEWER)
    .as("n");
  const newest = sql<string | null>`max(${n.at})::text`;
  const [row] = await rowsOf(q, select({ newer: COUNT, newest }).from(n));
  return row ?? { newer: 0 };
}

/** When the newest event of the tenant was: changes whenever anything happened to an operation. */
export async function selectNewestOperation(q: Queryable, tenantId: string): Promise<string | undefined> {
  const newest = sql<string | null>`max(${r.createdAt})::text`;
  const [row] = await rowsOf(q, select({ newest }).from(r).where(eq(r.tenantId, tenantId)));
  return row?.newest;
}
