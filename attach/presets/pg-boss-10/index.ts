import { definePreset, derived, notStored, stored } from "../../contract/preset";
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
} from "./job-parts";

const COLUMNS = { ...PG_BOSS_COLUMNS, expire_in: "any" } as const;
/** Of version 9, whose words run together, and of version 11. */
const OTHER_SHAPES = ["on_complete", "expire_seconds", "deletion_seconds"];
/** A lock longer than that is for ever, and would be a time that there is none for. */
const LONGEST_LOCK = "interval '1000 years'";

const shapeOf = (table: Table): PgBossShape => ({
  locked_until: derived(
    `case when ${table.column("state")} = 'active' then ${table.time("started_on")} + least(${table.column("expire_in")}, ${LONGEST_LOCK}) end`,
    "Of a job that a worker has: when it was started, and the time that it may take.",
  ),
  expires_at: derived(
    `case when ${table.column("state")} in ('created', 'retry') then ${table.time("keep_until")} end`,
    "Of a job that waits: when pg-boss puts it into its archive without running it.",
  ),
  order_key: stored(table.column("singleton_key")),
  waitingSays: "Due, and not tried yet.",
  expiredSays: "Waited longer than it may: archived without being run, or about to be unless a worker is faster.",
});

const archivedShapeOf = (table: Table): PgBossShape => ({
  ...shapeOf(table),
  locked_until: notStored("Nobody has a job of the archive."),
  expires_at: notStored("How long the archive keeps a job is in the configuration of pg-boss."),
});

export const pgBoss10 = definePreset<"job" | "queue" | "archive">({
  id: "pg-boss-10",
  title: "pg-boss 10",
  versions: "pg-boss 10",
  revision: 2,
  schema: "pgboss",
  tables: {
    job: { name: "job", needs: COLUMNS, not: [...OTHER_SHAPES, "archived_on"] },
    queue: PG_BOSS_QUEUE,
    archive: { name: "archive", needs: { ...COLUMNS, archived_on: "time" }, not: OTHER_SHAPES },
  },
  constants: {},
  notes: [
    "pg-boss moves a finished or failed job into its archive after 12 hours unless it is told otherwise, and deletes it there days later: a dead job that is not put back by then can only be read here, under an id that begins with `archive:`.",
    "A job with a dead-letter queue is copied there as a new job when it fails: putting the failed one back leaves the copy where it is, and both may run.",
    "A job that is put back has one more try. In a `stately` queue that already has a job in state retry PostgreSQL refuses it as a duplicate key, and nothing changes.",
    "Two queues may have jobs of one id; both are listed, and neither is opened or changed here.",
    "The jobs of a queue are a partition, without an index of the failed ones: a list of the dead reads every job that is kept.",
  ],
  shape: ({ tables: { job, queue, archive } }) => ({
    views: {
      outgoing: [
        pgBossOutgoing(job, "job", shapeOf(job)),
        pgBossOutgoing(archive, "archive", archivedShapeOf(archive)),
      ],
      dead: [pgBossDead(job, "job", shapeOf(job)), pgBossDead(archive, "archive", archivedShapeOf(archive))],
    },
    payload: [
      pgBossPayload(job, queue),
      {
        prefix: "archive",
        key: "uuid",
        sql: `select 'json', convert_to(${archive.column("data")}::text, 'UTF8') from ${archive.sql} where ${archive.column("id")} = row_key::uuid
  and (select count(*) from ${archive.sql} as other where other.${archive.column("id")} = row_key::uuid) = 1`,
      },
    ],
    actions: {
      requeue: [pgBossRequeue(job, queue)],
      discard: [pgBossDiscard(job, queue)],
      purge: [
        pgBossPurge(job, "job", "completed_on", "'completed', 'cancelled'"),
        pgBossPurge(archive, "archive", "archived_on", "'created', 'retry', 'completed', 'cancelled'"),
      ],
    },
    unsafe: {},
    indexes: [],
  }),
});
