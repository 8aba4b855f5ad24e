import type { Queryable } from "@/db/client";

export interface HeartbeatRow {
  readonly loop: string;
  readonly instance: string;
  readonly age_ms: number;
  readonly interval_ms: number;
  readonly error: string | null;
}

const LOOPS = 60;

/** The newest heartbeat per loop and process of the last day; of processes that ended long ago nothing is said. */
export async function selectHeartbeats(q: Queryable): Promise<HeartbeatRow[]> {
  const { rows } = await q.query<HeartbeatRow>({
    text: `select distinct on (h.loop) h.loop, h.instance, (extract(epoch from now() - h.at) * 1000)::float8 as age_ms, h.interval_ms, h.error
from onceboard.worker_heartbeats h where h.at > now() - interval '1 day' order by h.loop, h.at desc limit ${String(LOOPS)}`,
  });
  return rows;
}
