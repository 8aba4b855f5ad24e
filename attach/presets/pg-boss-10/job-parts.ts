import {
  derived,
  notStored,
  stored,
  type ActionPart,
  type ColumnSource,
  type PayloadPart,
  type PurgePart,
  type StateRule,
  type ViewPart,
} from "../../contract/preset";
import type { Family, Table } from "../../contract/tables";

/** What both shapes of pg-boss have in common: version 10, and version 11 and later. */
export const PG_BOSS_COLUMNS: Readonly<Record<string, Family>> = {
  id: "uuid",
  name: "text",
  data: "json",
  state: "enum",
  retry_limit: "integer",
  retry_count: "integer",
  start_after: "time",
  started_on: "time",
  singleton_key: "text",
  singleton_on: "zoneless",
  created_on: "time",
  completed_on: "time",
  keep_until: "time",
  output: "json",
  dead_letter: "text",
  policy: "text",
};

export const PG_BOSS_QUEUE = {
  name: "queue",
  needs: { name: "text", policy: "text", retry_limit: "integer" },
} as const;

const MAX_ERROR_CHARACTERS = 1_000;
const MAX_TRACE_CHARACTERS = 8_000;
/** A number of tries is shown with one added to it, and the largest integer is somebody's "for ever". */
const MOST_TRIES = 2_147_483_646;
/** How long a requeued job waits at least before pg-boss puts it away unrun: its own default. */
const KEPT_WAITING = "interval '14 days'";

/** What the two shapes say differently of a job. */
export interface PgBossShape {
  readonly locked_until: ColumnSource;
  readonly expires_at: ColumnSource;
  readonly order_key: ColumnSource;
  readonly waitingSays: string;
  readonly expiredSays: string;
}

const only = (table: Table, states: string, value: string): string =>
  `case when ${table.column("state")} ${states} then ${value} end`;

/** The error of a job: what a handler threw, or what pg-boss wrote itself when nobody answered. */
function errorOf(table: Table, field: string, characters: number): string {
  const output = table.column("output");
  return `left(coalesce(${output} ->> '${field}', ${output} -> 'value' ->> '${field}'), ${String(characters)})`;
}

const attempts = (table: Table): ColumnSource =>
  derived(
    `least(${table.column("retry_count")}, ${String(MOST_TRIES)}) + (${table.column("started_on")} is not null)::integer`,
    "Retries, and the first try once it began.",
  );

const identity = (table: Table, prefix: string) => ({
  id: stored(`'${prefix}:' || ${table.column("id")}`),
  type: stored(table.column("name")),
  tenant_ref: notStored("pg-boss knows no tenant; an application may put one into its data."),
  raw_state: stored(`${table.column("state")}::text`),
  attempts: attempts(table),
  payload_codec: derived("'json'", "pg-boss keeps JSON."),
});

function jobStates(table: Table, { waitingSays, expiredSays }: PgBossShape): readonly StateRule<"outgoing">[] {
  const state = table.column("state");
  return [
    { state: "dead", when: `${state} = 'failed'`, says: "Failed, and tried as often as it may be." },
    { state: "sent", when: `${state} = 'completed'`, says: "Completed." },
    { state: "cancelled", when: `${state} = 'cancelled'`, says: "Cancelled." },
    { state: "in_progress", when: `${state} = 'active'`, says: "A worker has it, or had it and did not come back." },
    {
      state: "expired",
      when: `${state} in ('created', 'retry') and ${table.time("keep_until")} < now()`,
      says: expiredSays,
    },
    { state: "retrying", when: `${state} = 'retry'`, says: "Failed or put back, and tried again when it is due." },
    {
      state: "scheduled",
      when: `${state} = 'created' and ${table.time("start_after")} > now()`,
      says: "Not due yet.",
    },
    { state: "waiting", when: `${state} = 'created'`, says: waitingSays },
  ];
}

/** The primary key is name and id, and the jobs of one queue are one partition. */
const jobOrder = (table: Table) =>
  [
    { sql: table.column("name"), type: "text" },
    { sql: table.column("id"), type: "uuid" },
  ] as const;

/** Every job of a table. */
export function pgBossOutgoing(table: Table, prefix: string, shape: PgBossShape): ViewPart<"outgoing"> {
  const { locked_until, expires_at, order_key } = shape;
  return {
    from: table.sql,
    columns: {
      ...identity(table, prefix),
      ...{ locked_until, expires_at, order_key },
      message_id: stored(`${table.column("id")}::text`),
      destination: stored(table.column("name")),
      created_at: stored(table.time("created_on")),
      available_at: derived(
        only(table, "in ('created', 'retry')", table.time("start_after")),
        "Of a job that waits: when it is due.",
      ),
      locked_by: notStored("pg-boss does not write which worker has a job."),
      sent_at: derived(only(table, "= 'completed'", table.time("completed_on")), "Of a completed job: when it was."),
      max_attempts: derived(
        `least(${table.column("retry_limit")}, ${String(MOST_TRIES)}) + 1`,
        "The retries that it may have, and the first try.",
      ),
      last_error: derived(
        only(table, "<> 'completed'", errorOf(table, "message", MAX_ERROR_CHARACTERS)),
        "The message in the output of its last failure; of a completed job the output is its result, and is not shown here.",
      ),
      headers: notStored("A job of pg-boss has no headers."),
    },
    states: jobStates(table, shape),
    order: jobOrder(table),
  };
}

/** The failed jobs of a table. */
export function pgBossDead(table: Table, prefix: string, shape: PgBossShape): ViewPart<"dead"> {
  return {
    from: table.sql,
    where: `${table.column("state")} = 'failed'`,
    columns: {
      ...identity(table, prefix),
      order_key: shape.order_key,
      expires_at: shape.expires_at,
      origin: stored("'job'"),
      first_seen_at: stored(table.time("created_on")),
      dead_at: stored(table.time("completed_on")),
      error_type: derived(errorOf(table, "name", MAX_ERROR_CHARACTERS), "The name of the error in its output."),
      error_message: derived(errorOf(table, "message", MAX_ERROR_CHARACTERS), "The message in its output."),
      error_trace: derived(errorOf(table, "stack", MAX_TRACE_CHARACTERS), "The stack in its output."),
      replay_requested: notStored("pg-boss has no such wish: a job that is put back is in state retry at once."),
    },
    states: [
      { state: "dead", when: `${table.column("state")} = 'failed'`, says: "Failed, and tried as often as it may be." },
    ],
    order: jobOrder(table),
  };
}

/** Where one job is found: by its queue, since the primary key begins with it; and nowhere when two queues have a job of that id. */
function oneJob(job: Table, queue: Table): string {
  const from = `${queue.sql} as queue_of join ${job.sql} as job_of on job_of.${job.column("name")} = queue_of.${queue.column("name")}`;
  const where = `job_of.${job.column("id")} = row_key::uuid`;
  return `from ${from} where ${where} and (select count(*) from ${from} where ${where}) = 1`;
}

const takenJob = (job: Table, queue: Table, and: string): string =>
  `with taken as (
  select job_of.${job.column("name")} as name, job_of.${job.column("id")} as id ${oneJob(job, queue)} and ${and}
  for update of job_of skip locked
)`;

const isTaken = (job: Table): string =>
  `row_of.${job.column("name")} = taken.name and row_of.${job.column("id")} = taken.id`;

/** As pg-boss puts a job back, with `completed_on` and `keep_until` out of the way of its maintenance, which would put it away unrun. */
export function pgBossRequeue(job: Table, queue: Table): ActionPart {
  const [state, limit, completed, keep, start] = [
    "state",
    "retry_limit",
    "completed_on",
    "keep_until",
    "start_after",
  ].map((name) => job.column(name));
  return {
    prefix: "job",
    key: "uuid",
    sql: `${takenJob(job, queue, `job_of.${job.column("state")} = 'failed'`)}
update ${job.sql} as row_of set ${state} = 'retry', ${limit} = least(row_of.${job.column("retry_limit")}, ${String(MOST_TRIES)}) + 1,
  ${completed} = null, ${start} = now(), ${keep} = greatest(row_of.${job.column("keep_until")}, now() + ${KEPT_WAITING})
from taken where ${isTaken(job)} and row_of.${job.column("state")} = 'failed' returning 'dead', 'retrying'`,
  };
}

/** @param unless a column that keeps a failed job from being deleted */
export function pgBossDiscard(job: Table, queue: Table, unless?: "blocking"): ActionPart {
  const blocks = unless === undefined ? "" : ` and not job_of.${job.column(unless)}`;
  return {
    prefix: "job",
    key: "uuid",
    sql: `${takenJob(job, queue, `job_of.${job.column("state")} = 'failed'${blocks}`)}
delete from ${job.sql} as row_of using taken where ${isTaken(job)} and row_of.${job.column("state")} = 'failed'
returning 'dead', 'gone'`,
  };
}

/**
 * Done or cancelled long ago, and no longer what keeps a second job of the same slot out.
 *
 * @param when the column whose time counts
 * @param unless a column that keeps a job from being deleted
 */
export function pgBossPurge(
  table: Table,
  prefix: string,
  when: string,
  states: string,
  unless?: "blocking",
): PurgePart {
  const blocks = unless === undefined ? "" : ` and not ${table.column(unless)}`;
  return {
    sql: `with taken as (
  select ${table.column("name")} as name, ${table.column("id")} as id, ${table.column("state")}::text as was from ${table.sql}
  where ${table.column("state")} in (${states}) and ${table.column(when)} < least(before, now())
    and ${table.column("singleton_on")} is null${blocks} limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where ${isTaken(table)} returning '${prefix}:' || row_of.${table.column("id")}, taken.was, 'gone'`,
  };
}

export function pgBossPayload(job: Table, queue: Table): PayloadPart {
  return {
    prefix: "job",
    key: "uuid",
    sql: `select 'json', convert_to(job_of.${job.column("data")}::text, 'UTF8') ${oneJob(job, queue)}`,
  };
}
