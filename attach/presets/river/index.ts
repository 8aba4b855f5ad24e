import { definePreset, derived, notStored, stored, type StateRule } from "../../contract/preset";
import type { Table } from "../../contract/tables";

const MAX_ERROR_CHARACTERS = 1_000;
const MAX_TRACE_CHARACTERS = 8_000;
const MAX_HEADER_CHARACTERS = 4_000;
/** The most that its column of tries holds. */
const MOST_TRIES = 32_767;

interface Constants {
  readonly rescue_after: string;
  readonly keep_completed: string;
  readonly keep_cancelled: string;
  readonly keep_discarded: string;
}

const DEAD_SAYS = "Failed and tried as often as it may be, or given up by its worker.";

/** A list of states that a version of River does not have must not fail, so that they are compared as texts. */
const stateOf = (job: Table): string => `${job.column("state")}::text`;

const lastOf = (array: string): string => `${array}[array_upper(${array}, 1)]`;

const lastError = (job: Table, field: string, characters: number): string =>
  `left(${lastOf(job.column("errors"))} ->> '${field}', ${String(characters)})`;

function jobStates(job: Table): readonly StateRule<"outgoing">[] {
  const state = stateOf(job);
  return [
    { state: "dead", when: `${state} = 'discarded'`, says: DEAD_SAYS },
    { state: "sent", when: `${state} = 'completed'`, says: "Completed." },
    { state: "cancelled", when: `${state} = 'cancelled'`, says: "Cancelled." },
    { state: "in_progress", when: `${state} = 'running'`, says: "A worker has it, or had it and did not come back." },
    { state: "retrying", when: `${state} = 'retryable'`, says: "Failed, and tried again when it is due." },
    {
      state: "scheduled",
      when: `${state} in ('scheduled', 'pending')`,
      says: "Not due yet, or held back until it may be.",
    },
    { state: "waiting", when: `${state} = 'available'`, says: "Due: the next free worker takes it." },
  ];
}

const jobOrder = (job: Table) => [{ sql: job.column("id"), type: "bigint" }] as const;

const identity = (job: Table, { keep_completed, keep_cancelled, keep_discarded }: Constants) => ({
  id: stored(`'job:' || ${job.column("id")}`),
  type: stored(job.column("kind")),
  order_key: notStored("River promises no order, and keeps no key of one."),
  tenant_ref: notStored("River knows no tenant; an application may put one into arguments or metadata."),
  raw_state: stored(stateOf(job)),
  attempts: stored(job.column("attempt")),
  payload_codec: derived("'json'", "River keeps the arguments of a job as JSON."),
  expires_at: derived(
    `${job.time("finalized_at")} + case ${stateOf(job)} when 'completed' then ${keep_completed} when 'cancelled' then ${keep_cancelled} when 'discarded' then ${keep_discarded} end`,
    "Of a finished job: its end, and how long River keeps such jobs, which was given when the tables were attached.",
  ),
});

const takenJob = (job: Table): string => `with taken as (
  select ${job.column("id")} as id from ${job.sql} where ${job.column("id")} = row_key::bigint and ${job.column("state")} = 'discarded'
  for update skip locked
)`;

/** As River's own retry, of jobs that it gave up only. */
function requeueOf(job: Table) {
  const [state, finalized, scheduled, most] = ["state", "finalized_at", "scheduled_at", "max_attempts"].map((name) =>
    job.column(name),
  );
  return {
    prefix: "job",
    key: "bigint" as const,
    sql: `${takenJob(job)}
update ${job.sql} as row_of set ${state} = 'available', ${finalized} = null, ${scheduled} = now(),
  ${most} = least(greatest(row_of.${job.column("max_attempts")}, row_of.${job.column("attempt")} + 1), ${String(MOST_TRIES)})
from taken where row_of.${job.column("id")} = taken.id and row_of.${job.column("state")} = 'discarded' returning 'dead', 'waiting'`,
  };
}

const discardOf = (job: Table) => ({
  prefix: "job",
  key: "bigint" as const,
  sql: `${takenJob(job)}
delete from ${job.sql} as row_of using taken where row_of.${job.column("id")} = taken.id and row_of.${job.column("state")} = 'discarded'
returning 'dead', 'gone'`,
});

const purgeOf = (job: Table) => ({
  sql: `with taken as (
  select ${job.column("id")} as id, ${stateOf(job)} as was from ${job.sql}
  where ${job.column("state")} in ('completed', 'cancelled') and ${job.time("finalized_at")} < least(before, now())
    and ${job.column("unique_key")} is null limit most for update skip locked
)
delete from ${job.sql} as row_of using taken where row_of.${job.column("id")} = taken.id
returning 'job:' || row_of.${job.column("id")}, taken.was, 'gone'`,
});

const keeps = (which: string, value: string) =>
  ({ kind: "interval", default: value, says: `How long River keeps ${which} jobs.` }) as const;

export const river = definePreset<"job", keyof Constants>({
  id: "river",
  title: "River",
  versions: "River with its migration 6 or later (0.12 and newer)",
  revision: 2,
  schema: "public",
  tables: {
    job: {
      name: "river_job",
      needs: {
        id: "integer",
        state: "enum",
        attempt: "integer",
        max_attempts: "integer",
        attempted_at: "time",
        created_at: "time",
        finalized_at: "time",
        scheduled_at: "time",
        args: "json",
        attempted_by: "array",
        errors: "array",
        kind: "text",
        metadata: "json",
        queue: "text",
        unique_key: "bytes",
        unique_states: "any",
      },
    },
  },
  constants: {
    rescue_after: {
      kind: "interval",
      default: "1 hour",
      says: "RescueStuckJobsAfter of the client: when River takes a job from a worker that does not come back.",
    },
    keep_completed: keeps("completed", "24 hours"),
    keep_cancelled: keeps("cancelled", "24 hours"),
    keep_discarded: keeps("discarded", "7 days"),
  },
  notes: [
    "River deletes finished jobs by an age that is in its configuration: what is done can be seen here for a day or so, and what is dead for a week, unless it was told otherwise.",
    "A dead job that is put back has at least one more try, and the next free worker of its queue takes it.",
    "Of unique jobs a second one may have taken the place meanwhile: PostgreSQL then refuses the older one as a duplicate key, and nothing changes. A finished unique job is left to River when old ones are deleted, since it may keep a second one out.",
    "A job that is running is never changed here: only River can tell its worker to stop.",
  ],
  shape: ({ tables: { job }, constants }) => ({
    views: {
      outgoing: [
        {
          from: job.sql,
          columns: {
            ...identity(job, constants),
            message_id: stored(`${job.column("id")}::text`),
            destination: stored(job.column("queue")),
            created_at: stored(job.time("created_at")),
            available_at: stored(job.time("scheduled_at")),
            locked_by: derived(
              `case when ${stateOf(job)} = 'running' then ${lastOf(job.column("attempted_by"))} end`,
              "Of a running job: the last client that tried it.",
            ),
            locked_until: derived(
              `case when ${stateOf(job)} = 'running' then ${job.time("attempted_at")} + ${constants.rescue_after} end`,
              "Of a running job: when River takes it from its worker, by the time that was given when the tables were attached.",
            ),
            sent_at: derived(
              `case when ${stateOf(job)} = 'completed' then ${job.time("finalized_at")} end`,
              "Of a completed job: when it was.",
            ),
            max_attempts: stored(job.column("max_attempts")),
            last_error: derived(lastError(job, "error", MAX_ERROR_CHARACTERS), "The last one of its errors."),
            headers: derived(
              `left(${job.column("metadata")}::text, ${String(MAX_HEADER_CHARACTERS)})`,
              `Its metadata, at most ${String(MAX_HEADER_CHARACTERS)} characters of them.`,
            ),
          },
          states: jobStates(job),
          order: jobOrder(job),
        },
      ],
      dead: [
        {
          from: job.sql,
          where: `${job.column("state")} = 'discarded'`,
          columns: {
            ...identity(job, constants),
            origin: stored("'job'"),
            first_seen_at: stored(job.time("created_at")),
            dead_at: stored(job.time("finalized_at")),
            error_type: notStored("River keeps the text of an error and not its type."),
            error_message: derived(lastError(job, "error", MAX_ERROR_CHARACTERS), "The last one of its errors."),
            error_trace: derived(
              lastError(job, "trace", MAX_TRACE_CHARACTERS),
              "The trace of the last one of its errors.",
            ),
            replay_requested: notStored("River has no such wish: a job that is put back is available at once."),
          },
          states: [{ state: "dead", when: `${stateOf(job)} = 'discarded'`, says: DEAD_SAYS }],
          order: jobOrder(job),
        },
      ],
    },
    payload: [
      {
        prefix: "job",
        key: "bigint",
        sql: `select 'json', convert_to(${job.column("args")}::text, 'UTF8') from ${job.sql} where ${job.column("id")} = row_key::bigint`,
      },
    ],
    actions: { requeue: [requeueOf(job)], discard: [discardOf(job)], purge: [purgeOf(job)] },
    unsafe: {},
    indexes: [],
  }),
});
