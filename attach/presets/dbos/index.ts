import { definePreset, derived, notStored, stored, type StateRule } from "../../contract/preset";
import type { Table, Tables } from "../../contract/tables";
import { epochTime } from "../key-actions";

const DEAD = "MAX_RECOVERY_ATTEMPTS_EXCEEDED";
/** Where DBOS itself puts what is resumed; each of its processes serves it. */
const INTERNAL_QUEUE = "_dbos_internal_queue";
const NOW_MS = "(extract(epoch from now()) * 1000)::bigint";
const IN_MS = "Kept as milliseconds since 1970.";
const MAX_INTEGER = "2147483647";

const DEAD_SAYS = "Its executor was lost more often than it may be, and nothing recovers it any more.";
const NO_ERROR = "What ended its executors is in no table: they died before they could say it.";
const WITH_ITS_STEPS =
  "Steps, inputs and results of a workflow stand in other tables, in version 3 without a foreign key: without its row its steps would be left, and a workflow of the same id would take them for its own. DBOS's own delete takes all of it.";

const statusIn = (workflows: Table, ...statuses: readonly string[]): string =>
  `${workflows.column("status")} in (${statuses.map((status) => `'${status}'`).join(", ")})`;

const states = (workflows: Table): readonly StateRule<"keys">[] => [
  { state: "done", when: statusIn(workflows, "SUCCESS"), says: "Succeeded: a repeated id gets the stored result." },
  {
    state: "failed",
    when: statusIn(workflows, "ERROR", "CANCELLED", DEAD),
    says: "Its function raised an error, it was cancelled, or its executor was lost too often.",
  },
  {
    state: "in_progress",
    when: statusIn(workflows, "PENDING", "ENQUEUED", "DELAYED"),
    says: "Waits in a queue, is delayed, runs, or its executor died and nobody has recovered it yet.",
  },
];

const orderOf = (workflows: Table) =>
  [
    { sql: workflows.column("created_at"), type: "bigint" },
    { sql: workflows.column("workflow_uuid"), type: "text" },
  ] as const;

const common = (workflows: Table) => ({
  id: stored(`'run:' || ${workflows.column("workflow_uuid")}`),
  tenant_ref: stored(workflows.column("authenticated_user")),
  raw_state: stored(workflows.column("status")),
  attempts: derived(
    `case when ${workflows.column("recovery_attempts")} between 0 and ${MAX_INTEGER} then ${workflows.column("recovery_attempts")} end`,
    "How often it was started, the first time included.",
  ),
});

function keys(workflows: Table) {
  const time = (name: string): string => epochTime(workflows.column(name));
  return {
    from: workflows.sql,
    columns: {
      ...common(workflows),
      scope: stored(workflows.column("name")),
      key: stored(workflows.column("workflow_uuid")),
      key_is_hashed: derived("false", "The id of a workflow is kept as it was given, or as DBOS made one."),
      fingerprint: notStored("DBOS compares the function of a repeated id, and not its arguments."),
      http_status: notStored("A workflow is no request: it has a result or an error."),
      has_response: derived(
        statusIn(workflows, "SUCCESS", "ERROR"),
        "What succeeded has a result, and what raised an error has that.",
      ),
      response_codec: derived("'text'", "A text that the serializer of the application wrote; in Python a pickle."),
      created_at: derived(time("created_at"), IN_MS),
      updated_at: derived(time("updated_at"), IN_MS),
      completed_at: workflows.has("completed_at")
        ? derived(time("completed_at"), IN_MS)
        : notStored("This version does not write when a workflow was done."),
      locked_by: derived(
        `case when ${statusIn(workflows, "PENDING")} then ${workflows.column("executor_id")} end`,
        "Of a pending workflow: the executor that took it last.",
      ),
      locked_until: notStored(
        "DBOS takes a workflow from an executor that is known to be gone, and not after some time.",
      ),
      expires_at: notStored("DBOS keeps what is done until somebody has it collected."),
    },
    states: states(workflows),
    order: orderOf(workflows),
  };
}

const dead = (workflows: Table) => ({
  from: workflows.sql,
  where: statusIn(workflows, DEAD),
  columns: {
    ...common(workflows),
    origin: stored("'job'"),
    type: stored(workflows.column("name")),
    order_key: notStored("DBOS promises no order of workflows."),
    first_seen_at: derived(epochTime(workflows.column("created_at")), IN_MS),
    dead_at: derived(epochTime(workflows.column("updated_at")), "Its last change, in milliseconds since 1970."),
    error_type: notStored(NO_ERROR),
    error_message: notStored(NO_ERROR),
    error_trace: notStored(NO_ERROR),
    payload_codec: notStored("A workflow that was given up has no result, and its input is not shown here."),
    replay_requested: notStored("DBOS has no such wish: a workflow that is resumed is enqueued at once."),
    expires_at: notStored("DBOS keeps it until somebody has it collected."),
  },
  states: [{ state: "dead" as const, when: statusIn(workflows, DEAD), says: DEAD_SAYS }],
  order: orderOf(workflows),
});

/** As DBOS's own resume, of what it gave up only. */
function requeueOf(workflows: Table) {
  const id = workflows.column("workflow_uuid");
  const cleared = [
    ...["workflow_deadline_epoch_ms", "deduplication_id", "started_at_epoch_ms"],
    ...["completed_at", "owner_xid"].filter((name) => workflows.has(name)),
  ];
  return {
    prefix: "run",
    key: "text" as const,
    sql: `with taken as (
  select ${id} as id from ${workflows.sql} where ${id} = row_key and ${statusIn(workflows, DEAD)} for update skip locked
)
update ${workflows.sql} as row_of set ${workflows.column("status")} = 'ENQUEUED', ${workflows.column("queue_name")} = '${INTERNAL_QUEUE}',
  ${workflows.column("recovery_attempts")} = 0, ${workflows.column("updated_at")} = ${NOW_MS},
  ${cleared.map((name) => `${workflows.column(name)} = null`).join(", ")}
from taken where row_of.${id} = taken.id and row_of.${workflows.column("status")} = '${DEAD}' returning 'dead', 'in_progress'`,
  };
}

/** Version 3 keeps results in a table of their own, and those of before in the row. */
function payloadOf({ workflows, results, there }: Tables<"workflows" | "results">) {
  const [id, output, error] = ["workflow_uuid", "output", "error"];
  const apart = there("results")
    ? [
        `(select coalesce(${results.column(output)}, ${results.column(error)}) from ${results.sql} where ${results.column(id)} = row_key)`,
      ]
    : [];
  const kept = [output, error].filter((name) => workflows.has(name)).map((name) => workflows.column(name));
  return {
    prefix: "run",
    key: "text" as const,
    sql: `select 'text', convert_to(coalesce(${[...apart, ...kept, "null::text"].join(", ")}), 'UTF8') from ${workflows.sql} where ${workflows.column(id)} = row_key`,
  };
}

export const dbos = definePreset<"workflows" | "results">({
  id: "dbos",
  title: "DBOS Transact",
  versions: "2 and 3 for Python, 4 for TypeScript",
  revision: 1,
  schema: "dbos",
  tables: {
    workflows: {
      name: "workflow_status",
      needs: {
        workflow_uuid: "text",
        status: "text",
        name: "text",
        authenticated_user: "text",
        executor_id: "text",
        created_at: "integer",
        updated_at: "integer",
        recovery_attempts: "integer",
        queue_name: "text",
        workflow_deadline_epoch_ms: "integer",
        started_at_epoch_ms: "integer",
        deduplication_id: "text",
      },
      may: { completed_at: "integer", owner_xid: "text", output: "text", error: "text" },
    },
    results: {
      name: "workflow_output",
      needs: { workflow_uuid: "text", output: "text", error: "text" },
      // The steps of a workflow.
      not: ["function_id"],
      optional: true,
    },
  },
  constants: {},
  notes: [
    "The id of a workflow is its idempotency key: started again under it, a workflow runs no second time.",
    "What waits in a queue, what is delayed and what runs are all in progress; `raw_state` tells them apart.",
    "A workflow whose executor died stays pending until DBOS recovers it: when that executor starts again, or when somebody says that it is gone.",
    "A workflow that is put back goes on after its last finished step, in a process of the version that started it. Where none runs it waits.",
    "The tables are often in a database of their own beside that of the application, with a name that ends in `_dbos_sys`.",
  ],
  shape: ({ tables }) => ({
    views: { keys: [keys(tables.workflows)], dead: [dead(tables.workflows)] },
    payload: [payloadOf(tables)],
    actions: { requeue: [requeueOf(tables.workflows)] },
    unsafe: { discard: WITH_ITS_STEPS, purge: WITH_ITS_STEPS },
    indexes: [],
  }),
});
