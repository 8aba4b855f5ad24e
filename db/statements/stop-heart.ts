import type { Queryable } from "@/db/client";

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
