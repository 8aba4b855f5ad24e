import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { NOW_TEXT, rowsOf } from "@/db/query";
import { NAV_COUNTED } from "@/domain/lists/nav-counted";
import { pendingTopics } from "@/db/messages/waiting-look";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";

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

/** Where not all were counted, what is next in another topic or lane may be older: read only then. */
const oldestOf = (since: SQL, front: SQL): SQL =>
  sql`case when count(*) < ${WAITING_COUNTED} then min(${since}) else least(min(${since}), (${front})) end`;

const frontOfTopics = (tenantId: string): SQL =>
  sql`select min(f.created_at) from (${pendingTopics(tenantId)}) t cross join lateral (
      (select m.created_at from onceboard.outbox_messages m
        where m.tenant_id = ${tenantId} and m.state = 'pending' and m.topic = t.topic order by m.next_attempt_at limit 1)
      union all (select m.created_at from onceboard.outbox_messages m where m.tenant_id = ${tenantId} and m.state = 'pending' and m.topic = t.topic
        and (m.attempts_finished > 0 or m.last_error_code is not null) order by m.next_attempt_at limit 1)) f`;

const frontOfLane = (tenantId: string): SQL =>
  sql`select o.received_at from onceboard.inbox_open o where o.tenant_id = ${tenantId} and o.alone order by o.next_attempt_at limit 1`;

/**
 * Counts of everything open, from the small tables and their partial indexes: one cheap statement. Operations and dead letters are exact. Of
 * messages that wait WAITING_COUNTED are counted: with as many or more the count and the age of the oldest are at least that.
 */
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
(select n.pending as outbox_pending, ${ms("n.oldest")} as oldest_outbox_ms from (
  select count(*)::int as pending, ${oldestOf(sql`m.created_at`, frontOfTopics(tenantId))} as oldest from (
    select m.created_at from onceboard.outbox_messages m
    where m.tenant_id = ${tenantId} and m.state = 'pending' order by m.topic, m.next_attempt_at limit ${WAITING_COUNTED}) m) n) x,
(select n.recorded as inbox_recorded, ${ms("n.oldest")} as oldest_inbox_ms from (
  select count(*)::int as recorded, ${oldestOf(sql`o.received_at`, frontOfLane(tenantId))} as oldest from (
    select o.received_at from onceboard.inbox_open o where o.tenant_id = ${tenantId} order by o.alone, o.next_attempt_at limit ${WAITING_COUNTED}) o) n) i,
(select count(*)::int as dead_letters, count(*) filter (where side = 'outbox')::int as outbox_dead,
    count(*) filter (where side = 'inbox')::int as inbox_dead, ${ms("min(dead_at)")} as oldest_dead_ms
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
