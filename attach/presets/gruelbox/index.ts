import { definePreset, derived, notStored, stored, type StateRule } from "../../contract/preset";
import type { Table } from "../../contract/tables";

/** A call begins with its class and its method; a longer start is not searched for them. */
const SEARCHED_CHARACTERS = 2_000;
const MAX_TYPE_CHARACTERS = 300;

const DEAD_SAYS = "Blocked: it failed as often as it may, and no flush takes it until it is unblocked.";

interface Constants {
  readonly time_zone: string;
}

/** A field at the start of a call, without reading it as JSON: one that is none breaks no list. */
const field = (table: Table, name: string): string =>
  `substring(left(${table.column("invocation")}, ${String(SEARCHED_CHARACTERS)}) from '"${name}":"([^"\\\\]*)"')`;

const next = (table: Table, { time_zone }: Constants): string => table.time("nextattempttime", time_zone);
const last = (table: Table, { time_zone }: Constants): string => table.time("lastattempttime", time_zone);

const isDead = (table: Table): string => `${table.column("blocked")} and not ${table.column("processed")}`;

/** A flush writes the time of an attempt before it hands a call to a worker, and counts it when it failed. */
const isTaken = (table: Table, constants: Constants): string =>
  `${table.column("attempts")} = 0 and ${table.column("lastattempttime")} is not null and ${next(table, constants)} > now()`;

function states(table: Table, constants: Constants): readonly StateRule<"outgoing">[] {
  const attempts = table.column("attempts");
  return [
    { state: "sent", when: table.column("processed"), says: "Ran, and kept because its caller gave it an id." },
    { state: "dead", when: table.column("blocked"), says: DEAD_SAYS },
    { state: "retrying", when: `${attempts} > 0`, says: "Failed, and run again by the first flush after its time." },
    {
      state: "in_progress",
      when: isTaken(table, constants),
      says: "A flush handed it to a worker that has not said how it ended; when its time comes, the next flush takes it again.",
    },
    // Before topics every new call was due later, for its own process runs it after its commit.
    ...(table.has("topic")
      ? [
          {
            state: "scheduled" as const,
            when: `${attempts} = 0 and ${next(table, constants)} > now()`,
            says: "To be run later.",
          },
        ]
      : []),
    {
      state: "waiting",
      when: `${attempts} = 0`,
      says: "Run by the process that wrote it, or by the first flush after its time.",
    },
  ];
}

const common = (table: Table) => ({
  id: stored(`'out:' || ${table.column("id")}`),
  type: derived(
    `left(concat_ws('.', ${field(table, "c")}, ${field(table, "m")}), ${String(MAX_TYPE_CHARACTERS)})`,
    "The class and the method that are called, as the library's own serializer writes them.",
  ),
  order_key: table.has("topic")
    ? derived(`nullif(${table.column("topic")}, '*')`, "The topic of a call that is run in order; * is none.")
    : notStored("This version has no topics: it promises no order."),
  tenant_ref: notStored("The library knows no tenant; an application may put one among the arguments of a call."),
  raw_state: derived(
    `case when ${table.column("processed")} then 'processed' when ${table.column("blocked")} then 'blocked' else 'open' end`,
    "Its two flags, processed and blocked; open is neither.",
  ),
  attempts: stored(table.column("attempts")),
  payload_codec: derived("'json'", "The library writes JSON unless the application brings a serializer of its own."),
});

const orderOf = (table: Table) => [{ sql: table.column("id"), type: "text" }] as const;

function outgoing(table: Table, constants: Constants) {
  const noLock = "A call that runs holds a lock of its row, which leaves no mark.";
  const { processed, blocked } = { processed: table.column("processed"), blocked: table.column("blocked") };
  return {
    from: table.sql,
    columns: {
      ...common(table),
      message_id: stored(table.column("uniquerequestid")),
      destination: notStored("A call names its class and method, and nothing else of where it goes."),
      created_at: notStored("The library does not write when a call was scheduled."),
      available_at: derived(
        `case when not ${processed} and not ${blocked} then ${next(table, constants)} end`,
        "Of an open call: when the next flush takes it. The library writes the local time of its server; its zone was given.",
      ),
      locked_by: notStored(noLock),
      locked_until: derived(
        `case when not ${processed} and not ${blocked} and ${isTaken(table, constants)} then ${next(table, constants)} end`,
        "Of a call that a flush handed out: when the next flush takes it again.",
      ),
      sent_at: derived(
        `case when ${processed} then ${last(table, constants)} end`,
        "Of a call that ran and is kept: its last attempt, read in the zone that was given.",
      ),
      max_attempts: notStored("blockAfterAttempts is set in the application; what reached it is blocked."),
      last_error: notStored("Errors go to the log and to listeners of the application; none is stored."),
      headers: notStored("A call has no headers; its MDC and session are part of it."),
      expires_at: derived(
        `case when ${processed} then ${next(table, constants)} end`,
        "Of a call that ran and is kept: when the library deletes it, read in the zone that was given.",
      ),
    },
    states: states(table, constants),
    order: orderOf(table),
  };
}

const dead = (table: Table, constants: Constants) => ({
  from: table.sql,
  where: isDead(table),
  columns: {
    ...common(table),
    origin: stored("'outgoing'"),
    first_seen_at: notStored("The library does not write when a call was scheduled."),
    dead_at: derived(last(table, constants), "Its last attempt, read in the zone that was given."),
    error_type: notStored("Errors go to the log and to listeners of the application; none is stored."),
    error_message: notStored("Errors go to the log and to listeners of the application; none is stored."),
    error_trace: notStored("Errors go to the log and to listeners of the application; none is stored."),
    replay_requested: notStored("The library has no such wish: an entry that is unblocked is open at once."),
    expires_at: notStored("A blocked call is kept until somebody decides."),
  },
  states: [{ state: "dead" as const, when: isDead(table), says: DEAD_SAYS }],
  order: orderOf(table),
});

const takenDead = (table: Table): string => `with taken as (
  select ${table.column("id")} as id from ${table.sql} where ${table.column("id")} = row_key and ${isDead(table)}
  for update skip locked
)`;

const stillDead = (table: Table): string =>
  `row_of.${table.column("id")} = taken.id and row_of.${table.column("blocked")} and not row_of.${table.column("processed")}`;

/** As the library's own unblock, and due at once: a worker's writes are fenced by the version, which stays. */
function requeueOf(table: Table, { time_zone }: Constants) {
  const due = table.column("nextattempttime");
  const now = table.type("nextattempttime").endsWith("without time zone") ? `now() at time zone ${time_zone}` : "now()";
  return {
    prefix: "out",
    key: "text" as const,
    sql: `${takenDead(table)}
update ${table.sql} as row_of set ${table.column("attempts")} = 0, ${table.column("blocked")} = false, ${due} = least(row_of.${due}, ${now})
from taken where ${stillDead(table)} returning 'dead', 'waiting'`,
  };
}

const discardOf = (table: Table) => ({
  prefix: "out",
  key: "text" as const,
  sql: `${takenDead(table)}
delete from ${table.sql} as row_of using taken where ${stillDead(table)} returning 'dead', 'gone'`,
});

/** What the library deletes itself: what ran, when the time is over in which its id keeps a second one out. */
function purgeOf(table: Table, constants: Constants) {
  const id = table.column("id");
  return {
    sql: `with taken as (
  select ${id} as id from ${table.sql}
  where ${table.column("processed")} and not ${table.column("blocked")} and ${next(table, constants)} < now()
    and ${last(table, constants)} < before limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.id and row_of.${table.column("processed")}
returning 'out:' || row_of.${id}, 'sent', 'gone'`,
  };
}

export const gruelbox = definePreset<"outbox", keyof Constants>({
  id: "gruelbox",
  title: "Gruelbox transaction outbox",
  versions: "transactionoutbox-core 4.2 to 7",
  revision: 1,
  schema: "public",
  tables: {
    outbox: {
      name: "txno_outbox",
      needs: {
        id: "text",
        invocation: "text",
        nextattempttime: "zoneless",
        lastattempttime: "zoneless",
        attempts: "integer",
        blocked: "boolean",
        processed: "boolean",
        version: "integer",
        uniquerequestid: "text",
      },
      may: { topic: "text", seq: "integer" },
    },
  },
  constants: {
    time_zone: {
      kind: "zone",
      says: "The time zone of the servers that run the application: the library writes their local time without it.",
    },
  },
  notes: [
    "A call that ran is deleted, unless its caller gave it an id: then it is kept for the retention of the application, and can be seen here.",
    "What runs for the first time, right after its commit, looks like what waits; a lost process shows as a call whose time has passed.",
    "A call that was unblocked by the library itself is shown as in progress until its time comes: it leaves the same columns as one that was handed out.",
    "Calls of a topic are never blocked: one that fails is retried for ever, and those behind it wait.",
    "The list is in the order of the ids, which say nothing about age.",
  ],
  shape: ({ tables: { outbox }, constants }) => ({
    views: { outgoing: [outgoing(outbox, constants)], dead: [dead(outbox, constants)] },
    payload: [
      {
        prefix: "out",
        key: "text",
        sql: `select 'json', convert_to(${outbox.column("invocation")}, 'UTF8') from ${outbox.sql} where ${outbox.column("id")} = row_key`,
      },
    ],
    actions: {
      requeue: [requeueOf(outbox, constants)],
      discard: [discardOf(outbox)],
      purge: [purgeOf(outbox, constants)],
    },
    unsafe: {},
    indexes: [],
  }),
});
