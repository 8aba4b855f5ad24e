import {
  definePreset,
  derived,
  notStored,
  stored,
  type ColumnSource,
  type StateRule,
  type ViewPart,
} from "../../contract/preset";
import type { Table } from "../../contract/tables";

const MAX_ERROR_CHARACTERS = 1_000;
const MAX_TRACE_CHARACTERS = 8_000;
const MAX_HEADER_CHARACTERS = 4_000;
/** A try is added to the tries that a job had. */
const MOST_TRIES = 2_147_483_646;

const DEAD_SAYS = "Failed and tried as often as it may be, or given up by its worker.";

/** A list of states that a version of Oban does not have must not fail, so that they are compared as texts. */
const stateOf = (jobs: Table): string => `${jobs.column("state")}::text`;

/** Oban writes UTC without a zone; a table that somebody made anew may have a zone. */
const nowFor = (jobs: Table, name: string): string =>
  jobs.time(name) === jobs.column(name) ? "now()" : "(now() at time zone 'UTC')";

/** What Elixir formats of an exception: its name in brackets, its message, and below it where it came from. */
function lastError(jobs: Table): string {
  const errors = jobs.column("errors");
  return `left(${errors}[array_upper(${errors}, 1)] ->> 'error', ${String(MAX_TRACE_CHARACTERS)})`;
}

function jobStates(jobs: Table): readonly StateRule<"outgoing">[] {
  const state = stateOf(jobs);
  return [
    { state: "dead", when: `${state} = 'discarded'`, says: DEAD_SAYS },
    { state: "sent", when: `${state} = 'completed'`, says: "Completed." },
    { state: "cancelled", when: `${state} = 'cancelled'`, says: "Cancelled." },
    { state: "in_progress", when: `${state} = 'executing'`, says: "A node has it, or had it and did not come back." },
    { state: "retrying", when: `${state} = 'retryable'`, says: "Failed, and tried again when it is due." },
    { state: "scheduled", when: `${state} in ('scheduled', 'suspended')`, says: "Not due yet, or held back." },
    { state: "waiting", when: `${state} = 'available'`, says: "Due: the next free place of its queue takes it." },
  ];
}

const jobOrder = (jobs: Table) => [{ sql: jobs.column("id"), type: "bigint" }] as const;

const identity = (jobs: Table) => ({
  id: stored(`'job:' || ${jobs.column("id")}`),
  type: stored(jobs.column("worker")),
  order_key: notStored("Oban promises no order, and keeps no key of one."),
  tenant_ref: notStored("Oban knows no tenant; an application may put one into arguments or meta."),
  raw_state: stored(stateOf(jobs)),
  attempts: stored(jobs.column("attempt")),
  payload_codec: derived("'json'", "Oban keeps the arguments of a job as JSON."),
  expires_at: notStored("How long Oban keeps a finished job is in the configuration of its pruner."),
});

const errorMessage = (jobs: Table): ColumnSource =>
  derived(
    `left(split_part(${lastError(jobs)}, E'\\n', 1), ${String(MAX_ERROR_CHARACTERS)})`,
    "The first line of the last one of its errors.",
  );

function deadPart(jobs: Table): ViewPart<"dead"> {
  const error = lastError(jobs);
  return {
    from: jobs.sql,
    where: `${jobs.column("state")} = 'discarded'`,
    columns: {
      ...identity(jobs),
      origin: stored("'job'"),
      first_seen_at: stored(jobs.time("inserted_at")),
      dead_at: stored(jobs.time("discarded_at")),
      error_type: derived(
        `substring(${error} from '^\\*\\* \\(([A-Za-z0-9_.:]+)')`,
        "The name in brackets with which the last one of its errors begins.",
      ),
      error_message: errorMessage(jobs),
      error_trace: derived(
        `nullif(substring(${error} from strpos(${error} || E'\\n', E'\\n') + 1), '')`,
        "What stands below the first line of the last one of its errors.",
      ),
      replay_requested: notStored("Oban has no such wish: a job that is put back is available at once."),
    },
    states: [{ state: "dead", when: `${stateOf(jobs)} = 'discarded'`, says: DEAD_SAYS }],
    order: jobOrder(jobs),
  };
}

const takenJob = (jobs: Table): string => `with taken as (
  select ${jobs.column("id")} as id from ${jobs.sql} where ${jobs.column("id")} = row_key::bigint and ${jobs.column("state")} = 'discarded'
  for update skip locked
)`;

/** As Oban's own retry, of jobs that it gave up only. */
function requeueOf(jobs: Table) {
  const ends = ["completed_at", "cancelled_at", "discarded_at"].map((name) => `${jobs.column(name)} = null`);
  return {
    prefix: "job",
    key: "bigint" as const,
    sql: `${takenJob(jobs)}
update ${jobs.sql} as row_of set ${jobs.column("state")} = 'available', ${jobs.column("scheduled_at")} = ${nowFor(jobs, "scheduled_at")}, ${ends.join(", ")},
  ${jobs.column("max_attempts")} = greatest(row_of.${jobs.column("max_attempts")}, least(row_of.${jobs.column("attempt")}, ${String(MOST_TRIES)}) + 1)
from taken where row_of.${jobs.column("id")} = taken.id and row_of.${jobs.column("state")} = 'discarded' returning 'dead', 'waiting'`,
  };
}

const discardOf = (jobs: Table) => ({
  prefix: "job",
  key: "bigint" as const,
  sql: `${takenJob(jobs)}
delete from ${jobs.sql} as row_of using taken where row_of.${jobs.column("id")} = taken.id and row_of.${jobs.column("state")} = 'discarded'
returning 'dead', 'gone'`,
});

const purgeOf = (jobs: Table) => ({
  sql: `with taken as (
  select ${jobs.column("id")} as id, ${stateOf(jobs)} as was from ${jobs.sql}
  where (${jobs.column("state")} = 'completed' and ${jobs.time("completed_at")} < least(before, now()))
    or (${jobs.column("state")} = 'cancelled' and ${jobs.time("cancelled_at")} < least(before, now()))
  limit most for update skip locked
)
delete from ${jobs.sql} as row_of using taken where row_of.${jobs.column("id")} = taken.id
returning 'job:' || row_of.${jobs.column("id")}, taken.was, 'gone'`,
});

export const oban = definePreset<"jobs">({
  id: "oban",
  title: "Oban",
  versions: "Oban 2.11 and newer",
  revision: 2,
  schema: "public",
  tables: {
    jobs: {
      name: "oban_jobs",
      needs: {
        id: "integer",
        state: "enum",
        queue: "text",
        worker: "text",
        args: "json",
        errors: "array",
        attempt: "integer",
        max_attempts: "integer",
        inserted_at: "zoneless",
        scheduled_at: "zoneless",
        attempted_at: "zoneless",
        completed_at: "zoneless",
        discarded_at: "zoneless",
        cancelled_at: "zoneless",
        attempted_by: "array",
        meta: "json",
      },
    },
  },
  constants: {},
  notes: [
    "Oban's pruner deletes finished jobs after a minute unless it is told otherwise, dead ones among them: an empty list may mean that they are gone, not that there were none.",
    "A dead job that is put back has at least one more try, and the next free place of its queue takes it.",
    "A job that is executing is never changed here: Oban writes its end by its id alone, and only Oban can tell a node to stop.",
    "Whether an executing job still runs cannot be told from its row: nodes that died leave it so until Oban's lifeline rescues it.",
    "Where unique jobs are kept by an index, as the pro version does, a second one may have taken the place meanwhile: PostgreSQL then refuses the older one as a duplicate key, and nothing changes.",
  ],
  shape: ({ tables: { jobs } }) => {
    return {
      views: {
        outgoing: [
          {
            from: jobs.sql,
            columns: {
              ...identity(jobs),
              message_id: stored(`${jobs.column("id")}::text`),
              destination: stored(jobs.column("queue")),
              created_at: stored(jobs.time("inserted_at")),
              available_at: stored(jobs.time("scheduled_at")),
              locked_by: derived(
                `case when ${stateOf(jobs)} = 'executing' then ${jobs.column("attempted_by")}[1] end`,
                "Of an executing job: the node that took it.",
              ),
              locked_until: notStored(
                "Oban's lock of a job has no end: its lifeline rescues jobs of nodes that are gone.",
              ),
              sent_at: derived(
                `case when ${stateOf(jobs)} = 'completed' then ${jobs.time("completed_at")} end`,
                "Of a completed job: when it was.",
              ),
              max_attempts: stored(jobs.column("max_attempts")),
              last_error: errorMessage(jobs),
              headers: derived(
                `left(${jobs.column("meta")}::text, ${String(MAX_HEADER_CHARACTERS)})`,
                `Its meta, at most ${String(MAX_HEADER_CHARACTERS)} characters of it.`,
              ),
            },
            states: jobStates(jobs),
            order: jobOrder(jobs),
          },
        ],
        dead: [deadPart(jobs)],
      },
      payload: [
        {
          prefix: "job",
          key: "bigint",
          sql: `select 'json', convert_to(${jobs.column("args")}::text, 'UTF8') from ${jobs.sql} where ${jobs.column("id")} = row_key::bigint`,
        },
      ],
      actions: { requeue: [requeueOf(jobs)], discard: [discardOf(jobs)], purge: [purgeOf(jobs)] },
      unsafe: {},
      indexes: [],
    };
  },
});
