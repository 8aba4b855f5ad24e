import { definePreset, derived, stored } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import {
  PG_BOSS_COLUMNS,
  PG_BOSS_QUEUE,
  pgBossDead,
  pgBossDiscard,
  pgBossOutgoing,
  pgBossPayload,
  pgBossPurge,
  pgBossRequeue,
  type PgBossShape,
} from "../pg-boss-10/job-parts";

/** Heartbeats and groups came with later versions. */
function shapeOf(job: Table): PgBossShape {
  const seconds = (time: string, length: string): string =>
    `${job.time(time)} + ${job.column(length)} * interval '1 second'`;
  const expiry = seconds("started_on", "expire_seconds");
  const beats = job.has("heartbeat_on") && job.has("heartbeat_seconds");
  const until = beats ? `least(${expiry}, ${seconds("heartbeat_on", "heartbeat_seconds")})` : expiry;
  const state = job.column("state");
  return {
    locked_until: derived(
      `case when ${state} = 'active' then ${until} end`,
      `Of a job that a worker has: when it was started, and the time that it may take${beats ? "; or when its next heartbeat is due, whichever is earlier" : ""}.`,
    ),
    expires_at: derived(
      `case when ${state} in ('created', 'retry') then ${job.time("keep_until")}
    when ${job.column("deletion_seconds")} > 0 then ${seconds("completed_on", "deletion_seconds")} end`,
      "When pg-boss deletes it: of a job that waits without running it, of any other some time after its end.",
    ),
    order_key: job.has("group_id")
      ? derived(
          `coalesce(${job.column("singleton_key")}, ${job.column("group_id")})`,
          "Its singleton key, or else its group.",
        )
      : stored(job.column("singleton_key")),
    waitingSays: "Due and not tried yet, or held back until the jobs that it depends on are completed.",
    expiredSays: "Waited longer than it may: pg-boss deletes it without running it unless a worker is faster.",
  };
}

export const pgBoss11 = definePreset<"job" | "queue">({
  id: "pg-boss-11",
  title: "pg-boss",
  versions: "pg-boss 11 and 12",
  revision: 1,
  schema: "pgboss",
  tables: {
    job: {
      name: "job",
      needs: { ...PG_BOSS_COLUMNS, expire_seconds: "integer", deletion_seconds: "integer" },
      may: { heartbeat_on: "time", heartbeat_seconds: "integer", group_id: "text", blocking: "boolean" },
      not: ["expire_in"],
    },
    queue: PG_BOSS_QUEUE,
  },
  constants: {},
  notes: [
    "A job with a dead-letter queue is copied there as a new job when it fails: putting the failed one back leaves the copy where it is, and both may run.",
    "A job that is put back has one more try. The policies `stately`, `exclusive` and `key_strict_fifo` are unique indexes: where another job has the place already, PostgreSQL refuses the job as a duplicate key, and nothing changes.",
    "A job that others depend on is not deleted here while they may still wait for it. The counts that pg-boss keeps of its queues follow with its next maintenance.",
    "Two queues may have jobs of one id; both are listed, and neither is opened or changed here.",
    "Jobs are kept in partitions, and versions before 12.38 have no index of the failed ones: there a list of the dead reads every job that is kept.",
  ],
  shape: ({ tables: { job, queue } }) => {
    const blocking = job.has("blocking") ? "blocking" : undefined;
    return {
      views: {
        outgoing: [pgBossOutgoing(job, "job", shapeOf(job))],
        dead: [pgBossDead(job, "job", shapeOf(job))],
      },
      payload: [pgBossPayload(job, queue)],
      actions: {
        requeue: [pgBossRequeue(job, queue)],
        discard: [pgBossDiscard(job, queue, blocking)],
        purge: [pgBossPurge(job, "job", "completed_on", "'completed', 'cancelled'", blocking)],
      },
      unsafe: {},
      indexes: [],
    };
  },
});
