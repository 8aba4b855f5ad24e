import { sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf } from "@/db/query";

export interface Heartbeat {
  readonly loop: string;
  readonly instance: string;
  readonly intervalMs: number;
  readonly result: unknown;
  /** One sentence; undefined when the tick went well. */
  readonly error: string | undefined;
}

/** Says that a loop of a process is alive and what its last tick did. */
export async function beatHeart(db: Queryable, beat: Heartbeat): Promise<void> {
  await db.query({
    name: "beat_heart",
    text: `insert into onceboard.worker_heartbeats (loop, instance, at, interval_ms, result, error)
           values ($1, $2, clock_timestamp(), $3, $4::jsonb, $5)
           on conflict (loop, instance) do update
           set at = excluded.at, interval_ms = excluded.interval_ms, error = excluded.error,
               result = coalesce(excluded.result, worker_heartbeats.result)`,
    values: [
      beat.loop,
      beat.instance,
      beat.intervalMs,
      beat.result === undefined ? undefined : JSON.stringify(beat.result),
      beat.error,
    ],
  });
}

/** Days after which the heartbeat of a process that is gone is forgotten. */
const FORGET_AFTER_DAYS = 1;

/** Removes the heartbeats of a process that ended in order, and those of processes that are long gone. */
export async function stopHeart(db: Queryable, instance: string): Promise<void> {
  await db.query({
    text: `delete from onceboard.worker_heartbeats
           where instance = $1 or at < clock_timestamp() - make_interval(days => $2)`,
    values: [instance, FORGET_AFTER_DAYS],
  });
}

export interface HeartbeatRow {
  readonly loop: string;
  readonly instance: string;
  readonly ageMs: number;
  readonly intervalMs: number;
  readonly error?: string | undefined;
}

const LOOPS = 60;

/** The newest heartbeat per loop and process of the last day; of processes that ended long ago nothing is said. */
export async function selectHeartbeats(q: Queryable): Promise<HeartbeatRow[]> {
  return rowsOf(
    q,
    sql<HeartbeatRow>`select distinct on (h.loop) h.loop, h.instance, (extract(epoch from now() - h.at) * 1000)::float8 as age_ms, h.interval_ms, h.error
from onceboard.worker_heartbeats h where h.at > now() - interval '1 day' order by h.loop, h.at desc limit ${LOOPS}`,
  );
}
