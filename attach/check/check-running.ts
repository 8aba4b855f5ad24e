import type { Queryable } from "@/db/client";
import { serverFacts } from "@/db/health/server-facts";
import type { Foreign } from "../connection";
import type { AttachFinding } from "./finding";

/** Seconds by which two clocks may differ: leases, ages and what is due are told by the clock of each database. */
export const MAX_CLOCK_SECONDS = 5;
/** Seconds after which a statement of ours is named: it ends after 5 s by itself. */
export const SLOW_SECONDS = 2;
const MS_PER_SECOND = 1_000;

/** What the clock of their database is compared with. */
export interface DatabaseClock {
  /** As a sentence names it: "this machine". */
  readonly of: string;
  /** @returns ms since 1970 */
  readonly now: () => Promise<number>;
}

/** That of our own database. */
export const clockOf = (q: Queryable): DatabaseClock => ({
  of: "the database of Onceboard",
  now: async () => (await serverFacts(q)).clockMs,
});

export const MACHINE_CLOCK: DatabaseClock = { of: "this machine", now: () => Promise.resolve(Date.now()) };

/** How far their clock is from ours; the time of the question counts half. */
export async function checkClock(foreign: Foreign, clock: DatabaseClock): Promise<AttachFinding> {
  const before = await clock.now();
  const [row] = await foreign.query<{ readonly ms: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
  );
  const after = await clock.now();
  const aheadMs = (row?.ms ?? Number.NaN) - (before + after) / 2;
  const seconds = (Math.abs(aheadMs) / MS_PER_SECOND).toFixed(1);
  const most = `at most ${String(MAX_CLOCK_SECONDS)} s`;
  if (Math.abs(aheadMs) <= MAX_CLOCK_SECONDS * MS_PER_SECOND)
    return { state: "ok", text: `Its clock and that of ${clock.of} are ${seconds} s apart (${most}).` };
  return {
    state: "note",
    text: `Its clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} that of ${clock.of} (${most}): times here are off by as much. Set both by NTP.`,
  };
}

interface Load {
  readonly login: string;
  readonly slow: number;
  readonly blocked: number;
  readonly idle: number;
}

/** Whether what our login does in their database takes long or waits now; it sees its own sessions alone. */
export async function checkLoad(foreign: Foreign): Promise<AttachFinding> {
  const [load] = await foreign.query<Load>(
    `select session_user::text as login,
            (count(*) filter (where state = 'active' and clock_timestamp() - query_start > make_interval(secs => $1)))::integer as slow,
            (count(*) filter (where state = 'active' and wait_event_type = 'Lock'))::integer as blocked,
            (count(*) filter (where state like 'idle in transaction%' and clock_timestamp() - state_change > make_interval(secs => $1)))::integer as idle
       from pg_stat_activity where usename = session_user and datname = current_database() and pid <> pg_backend_pid()`,
    [SLOW_SECONDS],
  );
  const { login = "", slow = 0, blocked = 0, idle = 0 } = load ?? {};
  const limit = `${String(SLOW_SECONDS)} s`;
  if (slow + blocked + idle === 0)
    return { state: "ok", text: `No statement of ${login} runs for longer than ${limit} or waits for a lock now.` };
  const parts = [
    ...(slow === 0 ? [] : [`${String(slow)} running for longer than ${limit}`]),
    ...(blocked === 0 ? [] : [`${String(blocked)} waiting for a lock`]),
    ...(idle === 0 ? [] : [`${String(idle)} idle in a transaction for longer than ${limit}`]),
  ];
  return {
    state: "note",
    text: `Of ${login} there are now ${parts.join(", ")}: their database is busy, or somebody holds a row.`,
  };
}
