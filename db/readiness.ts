import type { Queryable } from "./client";
import journal from "@/drizzle/meta/_journal.json" with { type: "json" };

export interface Readiness {
  /** The database refuses a direct write of this process to the state machine. */
  readonly guard: boolean;
  readonly migrations: boolean;
  /** Its login could take the owner's rights back, so the guard holds against mistakes alone. */
  readonly owner: boolean;
  /** A loop has beaten within three of its intervals. */
  readonly worker: boolean;
}

/** Of a heartbeat, in seconds, whatever the loop's interval: a busy loop is not a dead one. */
const MIN_HEARTBEAT_AGE = 30;
const UNDEFINED_TABLE = "42P01";
const INVALID_SCHEMA = "3F000";

/**
 * Is this database what this version of the code needs, and does a worker work on it?
 *
 * @throws the driver's error when the database does not answer
 */
export async function readiness(db: Queryable): Promise<Readiness> {
  try {
    const { rows } = await db.query<{ newest: bigint | null; worker: boolean; guard: boolean; owner: boolean }>({
      text: `select (select max(created_at)::bigint from onceboard.migrations) as newest,
                    exists (select 1 from onceboard.worker_heartbeats
                             where at > clock_timestamp() - greatest(make_interval(secs => interval_ms * 3 / 1000.0),
                                                                     make_interval(secs => $1))) as worker,
                    not has_table_privilege('onceboard.idempotency_requests', 'insert, update, delete, truncate') as guard,
                    pg_has_role(session_user, (select relowner from pg_class where oid = 'onceboard.idempotency_requests'::regclass), 'MEMBER') as owner`,
      values: [MIN_HEARTBEAT_AGE],
    });
    const needed = Math.max(...journal.entries.map((entry) => entry.when));
    return {
      migrations: (rows[0]?.newest ?? 0n) >= BigInt(needed),
      worker: rows[0]?.worker ?? false,
      guard: rows[0]?.guard ?? false,
      owner: rows[0]?.owner ?? false,
    };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === UNDEFINED_TABLE || code === INVALID_SCHEMA)
      return { migrations: false, worker: false, guard: false, owner: false };
    throw error;
  }
}
