import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { NOW_TEXT, rowsOf } from "@/db/query";
import { NAV_COUNTED } from "@/domain/lists/nav-counted";

export interface CountSnapshotRow {
  readonly name: string;
  readonly value: number;
  readonly kind: "exact" | "at_least" | "estimate";
  readonly ageMs: number;
}

/** Counts of the huge states as they were last taken. */
export async function selectCountSnapshots(q: Queryable, tenantId: string): Promise<CountSnapshotRow[]> {
  return rowsOf(
    q,
    sql<CountSnapshotRow>`select s.name, s.value::float8 as value, s.kind, (extract(epoch from now() - s.taken_at) * 1000)::float8 as age_ms
from onceboard.count_snapshots s where s.tenant_id = ${tenantId}`,
  );
}

export interface OpenOperationsRow {
  readonly inProgress: number;
  readonly unknown: number;
  readonly stale: number;
}

export interface OpenCountsRow extends OpenOperationsRow {
  readonly at: string;
  readonly oldestInProgressMs?: number | undefined;
  /** The same, also where the lease ran out. */
  readonly oldestRunningMs?: number | undefined;
  readonly oldestUnknownMs?: number | undefined;
  readonly oldestStaleMs?: number | undefined;
  readonly outboxPending: number;
  readonly outboxDead: number;
  readonly oldestOutboxMs?: number | undefined;
  readonly inboxRecorded: number;
  readonly oldestInboxMs?: number | undefined;
  readonly inboxDead: number;
  readonly deadLetters: number;
  readonly oldestDeadMs?: number | undefined;
  readonly conflicts: number;
}

const ms = (from: string): SQL => sql.raw(`(extract(epoch from now() - ${from}) * 1000)::float8`);

const OPEN_OPERATIONS =
  sql.raw(`count(*) filter (where unknown_since is null and (locked_until is null or locked_until > now()))::int as in_progress,
    count(*) filter (where unknown_since is not null)::int as unknown,
    count(*) filter (where unknown_since is null and locked_until <= now())::int as stale`);

/** Exact counts of the operations that are open. */
export async function selectOpenOperations(q: Queryable, tenantId: string): Promise<OpenOperationsRow> {
  const [row] = await rowsOf(
    q,
    sql<OpenOperationsRow>`select ${OPEN_OPERATIONS} from onceboard.idempotency_open where tenant_id = ${tenantId}`,
    "console_open_operations",
  );
  if (row === undefined) throw new Error("counts returned no row");
  return row;
}

/** Exact counts of everything open, from the small tables and their partial indexes: one cheap statement. */
export async function selectOpenCounts(q: Queryable, tenantId: string): Promise<OpenCountsRow> {
  const rows = await rowsOf(
    q,
    sql<OpenCountsRow>`select ${NOW_TEXT} as at, o.*, x.*, i.*, d.*, k.*
from (select ${OPEN_OPERATIONS},
    ${ms("min(opened_at) filter (where unknown_since is null and (locked_until is null or locked_until > now()))")} as oldest_in_progress_ms,
    ${ms("min(opened_at) filter (where unknown_since is null)")} as oldest_running_ms,
    ${ms("min(unknown_since)")} as oldest_unknown_ms,
    ${ms("min(locked_until) filter (where unknown_since is null and locked_until <= now())")} as oldest_stale_ms
  from onceboard.idempotency_open where tenant_id = ${tenantId}) o,
(select count(*) filter (where state = 'pending')::int as outbox_pending, count(*) filter (where state = 'dead')::int as outbox_dead,
    ${ms("min(created_at) filter (where state = 'pending')")} as oldest_outbox_ms
  from onceboard.outbox_messages where tenant_id = ${tenantId}) x,
(select count(*)::int as inbox_recorded, ${ms("min(received_at)")} as oldest_inbox_ms
  from onceboard.inbox_open where tenant_id = ${tenantId}) i,
(select count(*)::int as dead_letters, count(*) filter (where side = 'inbox')::int as inbox_dead, ${ms("min(dead_at)")} as oldest_dead_ms
  from onceboard.dead_letters where tenant_id = ${tenantId} and settled_at is null) d,
(select count(*)::int as conflicts from (select 1 from onceboard.idempotency_events
  where tenant_id = ${tenantId} and type = 'conflict' and not (operation like 'admin.%') and at > now() - interval '24 hours' and day >= (now() at time zone 'utc')::date - 1
  limit ${NAV_COUNTED}) c) k`,
    "console_open_counts",
  );
  const row = rows[0];
  if (row === undefined) throw new Error("counts returned no row");
  return row;
}
