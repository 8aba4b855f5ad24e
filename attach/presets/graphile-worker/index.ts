import { definePreset, derived, notStored, stored, type ActionPart, type StateRule } from "../../contract/preset";
import type { Table } from "../../contract/tables";

/** After so long graphile-worker itself takes a job from a worker that does not come back. */
const LOCK = "interval '4 hours'";
const MAX_ERROR_CHARACTERS = 1_000;

/** As its functions test it. */
const isFree = (jobs: Table): string =>
  `(${jobs.column("locked_at")} is null or ${jobs.time("locked_at")} < now() - ${LOCK})`;

const isDead = (jobs: Table): string =>
  `${jobs.column("attempts")} >= ${jobs.column("max_attempts")} and ${isFree(jobs)}`;

const DEAD_SAYS = "Tried as often as it may be, or failed for good.";

function jobStates(jobs: Table): readonly StateRule<"outgoing">[] {
  return [
    { state: "in_progress", when: `not ${isFree(jobs)}`, says: "A worker has it." },
    { state: "dead", when: isDead(jobs), says: DEAD_SAYS },
    { state: "retrying", when: `${jobs.column("attempts")} > 0`, says: "Failed, and tried again when it is due." },
    { state: "scheduled", when: `${jobs.time("run_at")} > now()`, says: "Not due yet." },
    { state: "waiting", when: "true", says: "Due, and not tried yet." },
  ];
}

const identity = (jobs: Table) => ({
  id: stored(`'job:' || ${jobs.column("id")}`),
  type: stored(jobs.column("task_identifier")),
  order_key: stored(jobs.column("queue_name")),
  tenant_ref: notStored("graphile-worker knows no tenant; an application may put one into the payload."),
  raw_state: notStored("graphile-worker keeps no state: it follows from tries, times and the lock of a job."),
  attempts: stored(jobs.column("attempts")),
  payload_codec: notStored(
    "The payload of a job is in a private table of graphile-worker, which others are asked not to read: it is not shown.",
  ),
  expires_at: notStored("A job waits until it succeeds; a dead one stays until somebody deletes it."),
});

const jobOrder = (jobs: Table) => [{ sql: jobs.column("id"), type: "bigint" }] as const;

/**
 * The job as it is now, held until the end of the transaction. Its tables are private and its view cannot be locked, so its own
 * function is called with nothing to change: it waits for whoever was first and then says what they left.
 */
function takenJob(jobs: Table): string {
  return `with wanted_job as materialized (
  select ${jobs.column("id")} as id from ${jobs.sql} where ${jobs.column("id")} = row_key::bigint and ${isDead(jobs)}
), taken as materialized (
  select held.id, held.attempts, held.max_attempts from wanted_job
  cross join lateral ${jobs.schema}.reschedule_jobs(job_ids => array[wanted_job.id]) as held
)`;
}

const stillDead = "where taken.attempts >= taken.max_attempts";

const requeueOf = (jobs: Table): ActionPart => ({
  prefix: "job",
  key: "bigint",
  sql: `${takenJob(jobs)}
select 'dead', 'waiting' from taken
cross join lateral ${jobs.schema}.reschedule_jobs(job_ids => array[taken.id], run_at => now(), attempts => 0) as done ${stillDead}`,
});

const discardOf = (jobs: Table): ActionPart => ({
  prefix: "job",
  key: "bigint",
  sql: `${takenJob(jobs)}
select 'dead', 'gone' from taken
cross join lateral ${jobs.schema}.complete_jobs(job_ids => array[taken.id]) as done ${stillDead}`,
});

const UNSAFE_PURGE =
  "graphile-worker deletes a job when it succeeds: what is left waits or is dead, and a dead job is discarded by itself.";

export const graphileJobs = definePreset<"jobs">({
  id: "graphile-worker",
  title: "graphile-worker",
  versions: "graphile-worker 0.16 and 0.17",
  revision: 2,
  schema: "graphile_worker",
  tables: {
    jobs: {
      name: "jobs",
      needs: {
        id: "integer",
        queue_name: "text",
        task_identifier: "text",
        run_at: "time",
        attempts: "integer",
        max_attempts: "integer",
        last_error: "text",
        created_at: "time",
        updated_at: "time",
        key: "text",
        locked_at: "time",
        locked_by: "text",
        revision: "integer",
      },
      // The table of versions before 0.14, whose functions were others.
      not: ["payload"],
    },
  },
  constants: {},
  notes: [
    "A job is deleted when it succeeds: what is done cannot be seen or counted here.",
    "The payload is private to graphile-worker and is not shown.",
    "A dead job that is put back begins anew, with all its tries. Only the functions that graphile-worker documents are called, and they leave a job alone that a worker has.",
    "A job that was replaced or removed while it ran has all its tries used up: should it fail then, it is shown as dead although a newer one took its place.",
    "The authors ask not to read this view often, and never in a long transaction.",
  ],
  shape: ({ tables: { jobs } }) => {
    const { expires_at, ...base } = identity(jobs);
    const lastError = `left(${jobs.column("last_error")}, ${String(MAX_ERROR_CHARACTERS)})`;
    return {
      views: {
        outgoing: [
          {
            from: jobs.sql,
            columns: {
              ...{ ...base, expires_at },
              message_id: stored(jobs.column("key")),
              destination: notStored("A job goes to whichever worker knows its task."),
              created_at: stored(jobs.time("created_at")),
              available_at: stored(jobs.time("run_at")),
              locked_by: stored(jobs.column("locked_by")),
              locked_until: derived(
                `${jobs.time("locked_at")} + ${LOCK}`,
                "Of a job that a worker has: four hours after it was taken, when graphile-worker gives it to another.",
              ),
              sent_at: notStored("graphile-worker deletes a job when it succeeds."),
              max_attempts: stored(jobs.column("max_attempts")),
              last_error: derived(
                lastError,
                `At most ${String(MAX_ERROR_CHARACTERS)} characters of what it failed with.`,
              ),
              headers: notStored("A job of graphile-worker has no headers."),
            },
            states: jobStates(jobs),
            order: jobOrder(jobs),
          },
        ],
        dead: [
          {
            from: jobs.sql,
            where: isDead(jobs),
            columns: {
              ...{ ...base, expires_at },
              origin: stored("'job'"),
              first_seen_at: stored(jobs.time("created_at")),
              dead_at: derived(jobs.time("updated_at"), "When the job was last changed: it has not been tried since."),
              error_type: notStored("graphile-worker keeps the message of an error and not its type."),
              error_message: derived(
                lastError,
                `At most ${String(MAX_ERROR_CHARACTERS)} characters of what it failed with.`,
              ),
              error_trace: notStored("graphile-worker keeps the message of an error and no trace."),
              replay_requested: notStored("graphile-worker has no such wish: a job that is put back is due at once."),
            },
            states: [{ state: "dead", when: isDead(jobs), says: DEAD_SAYS }],
            order: jobOrder(jobs),
          },
        ],
      },
      payload: [],
      actions: { requeue: [requeueOf(jobs)], discard: [discardOf(jobs)] },
      unsafe: { purge: UNSAFE_PURGE },
      indexes: [],
    };
  },
});
