import type { Queryable } from "@/db/client";

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
