import type { Queryable } from "@/db/client";
import { textRows } from "@/db/query";
import { isConsoleAction } from "../sql-text";

/** Newer rows counted at the most. */
const NEWER = 100;

const TABLES = {
  operations: { table: "idempotency_requests", at: "created_at", only: `not (${isConsoleAction("t.operation")})` },
  inbox: { table: "inbox_messages", at: "received_at", only: "true" },
  outbox: { table: "outbox_messages", at: "created_at", only: "true" },
  audit: { table: "audit_entries", at: "at", only: "true" },
  conflicts: {
    table: "idempotency_events",
    at: "at",
    only: `t.type = 'conflict' and not (${isConsoleAction("t.operation")}) and t.day >= ($2::timestamptz at time zone 'utc')::date`,
  },
  attention: { table: "idempotency_open", at: "unknown_since", only: "true" },
  "dead-letters": { table: "dead_letters", at: "dead_at", only: "t.settled_at is null" },
  plans: { table: "plans", at: "created_at", only: "true" },
} as const;
export type NewerList = keyof typeof TABLES;

export function isNewerList(name: string): name is NewerList {
  return Object.hasOwn(TABLES, name);
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
  const { table, at, only } = TABLES[list];
  const rows = await textRows<{ newer: number; newest?: string | undefined }>(
    q,
    `select count(*)::int as newer, max(n.at)::text as newest from (
  select t.${at} as at from onceboard.${table} t where t.tenant_id = $1 and t.${at} > $2::timestamptz and ($3::timestamptz is null or t.${at} < $3) and ${only} order by t.${at} desc limit ${String(NEWER)}) n`,
    [tenantId, since, ENDLESS.includes(list) ? null : (until ?? null)],
  );
  return rows[0] ?? { newer: 0 };
}

/** When the newest event of the tenant was: changes whenever anything happened to an operation. */
export async function selectNewestOperation(q: Queryable, tenantId: string): Promise<string | undefined> {
  const rows = await textRows<{ newest?: string | undefined }>(
    q,
    "select max(r.created_at)::text as newest from onceboard.idempotency_requests r where r.tenant_id = $1",
    [tenantId],
  );
  return rows[0]?.newest;
}
