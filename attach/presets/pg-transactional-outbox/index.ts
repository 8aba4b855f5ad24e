import { definePreset, derived, notStored, stored, type PayloadPart } from "../../contract/preset";
import type { Family, Table } from "../../contract/tables";

const MAX_HEADER_CHARACTERS = 16_384;

interface Constants {
  readonly max_attempts: string;
  readonly polling: string;
}

const COLUMNS: Readonly<Record<string, Family>> = {
  id: "uuid",
  aggregate_type: "text",
  aggregate_id: "text",
  message_type: "text",
  segment: "text",
  concurrency: "any",
  payload: "json",
  metadata: "json",
  locked_until: "time",
  created_at: "time",
  processed_at: "time",
  abandoned_at: "time",
  started_attempts: "integer",
  finished_attempts: "integer",
};

const isDead = (table: Table): string =>
  `${table.column("processed_at")} is null and ${table.column("abandoned_at")} is not null`;

/** Columns that both tables and both lists of the dead have. */
function common(table: Table, prefix: string) {
  return {
    id: stored(`'${prefix}:' || ${table.column("id")}`),
    type: stored(table.column("message_type")),
    order_key: stored(table.column("segment")),
    tenant_ref: notStored("The library knows no tenant; an application may put one into the segment or the metadata."),
    attempts: stored(table.column("finished_attempts")),
    payload_codec: derived("'json'", "The column payload is JSON."),
  };
}

function ofMessage(table: Table) {
  return {
    message_id: stored(table.column("id")),
    raw_state: notStored("The library has no word for a state; it writes times."),
    last_error: notStored("The library logs an error and does not store it."),
    headers: derived(
      `left(${table.column("metadata")}::text, ${String(MAX_HEADER_CHARACTERS)})`,
      "The start of the column metadata.",
    ),
  };
}

function states<Done extends "sent" | "done">(table: Table, done: Done) {
  const [processed, started] = [table.column("processed_at"), table.column("started_attempts")];
  return [
    { state: done, when: `${processed} is not null`, says: "Processed: processed_at is set." },
    { state: "dead" as const, when: isDead(table), says: "Given up: abandoned_at is set." },
    {
      state: "in_progress" as const,
      when: `${table.column("locked_until")} > now()`,
      says: "Taken by a listener that polls, until locked_until.",
    },
    {
      state: "retrying" as const,
      when: `${started} > 0`,
      says: "Started before and not finished; with logical replication it may be running.",
    },
    { state: "waiting" as const, when: `${started} = 0`, says: "Not started yet." },
  ];
}

function outgoingPart(table: Table, { max_attempts }: Constants) {
  return {
    from: table.sql,
    columns: {
      ...common(table, "out"),
      ...ofMessage(table),
      destination: notStored("Where a message goes is decided by the handler of the application."),
      created_at: stored(table.column("created_at")),
      available_at: notStored("A message waits for the ones before it in its segment, not for a time."),
      locked_by: notStored("The library writes until when a message is taken, not by whom."),
      locked_until: derived(
        `nullif(${table.column("locked_until")}, to_timestamp(0))`,
        "The column locked_until; the year 1970 stands for free and is left out.",
      ),
      sent_at: stored(table.column("processed_at")),
      max_attempts: derived(max_attempts, "Given when the tables were attached."),
      expires_at: notStored("How long messages are kept is set in the application."),
    },
    states: states(table, "sent"),
    order: oldestFirst(table, "created_at"),
  };
}

function incomingPart(table: Table) {
  return {
    from: table.sql,
    columns: {
      ...common(table, "in"),
      ...ofMessage(table),
      consumer: notStored("The inbox has one consumer: the service that owns it."),
      received_at: stored(table.column("created_at")),
      handled_at: stored(table.column("processed_at")),
      keep_until: notStored("How long messages are kept is set in the application."),
    },
    states: states(table, "done"),
    order: oldestFirst(table, "created_at"),
  };
}

function deadPart(table: Table, prefix: string, origin: string) {
  const noError = notStored("The library logs an error and does not store it.");
  return {
    from: table.sql,
    where: isDead(table),
    columns: {
      ...common(table, prefix),
      origin: stored(`'${origin}'`),
      raw_state: notStored("The library has no word for a state; it writes times."),
      first_seen_at: stored(table.column("created_at")),
      dead_at: stored(table.column("abandoned_at")),
      error_type: noError,
      error_message: noError,
      error_trace: noError,
      replay_requested: notStored("The library has no such wish: a message is abandoned or it is not."),
      expires_at: notStored("How long abandoned messages are kept is set in the application."),
    },
    states: [{ state: "dead" as const, when: "true", says: "Given up: abandoned_at is set." }],
    order: oldestFirst(table, "abandoned_at"),
  };
}

/** The library has an index on each of its times. */
const oldestFirst = (table: Table, time: string) =>
  [
    { sql: table.column(time), type: table.type(time) },
    { sql: table.column("id"), type: table.type("id") },
  ] as const;

function payloadOf(table: Table, prefix: string): PayloadPart {
  return {
    prefix,
    key: "uuid",
    sql: `select 'json', convert_to(${table.column("payload")}::text, 'UTF8') from ${table.sql} where ${table.column("id")} = row_key::uuid`,
  };
}

/** Row locks of a listener conflict with ours, so a message that it works on is left alone. */
function takenDead(table: Table): string {
  return `select ${table.column("id")} as id from ${table.sql}
  where ${table.column("id")} = row_key::uuid and ${isDead(table)} and ${table.column("locked_until")} < now() for update skip locked`;
}

/** What the function that listeners poll with takes: not processed, not abandoned, not locked. */
function requeueOf(table: Table, prefix: string) {
  const [abandoned, started, finished] = ["abandoned_at", "started_attempts", "finished_attempts"].map((name) =>
    table.column(name),
  );
  return {
    prefix,
    key: "uuid" as const,
    sql: `with taken as (
  ${takenDead(table)}
)
update ${table.sql} as row_of set ${abandoned} = null, ${started} = 0, ${finished} = 0
from taken where row_of.${table.column("id")} = taken.id and row_of.${abandoned} is not null and row_of.${table.column("processed_at")} is null
returning 'dead', 'waiting'`,
  };
}

function discardOf(table: Table, prefix: string) {
  return {
    prefix,
    key: "uuid" as const,
    sql: `with taken as (
  ${takenDead(table)}
)
delete from ${table.sql} as row_of using taken where row_of.${table.column("id")} = taken.id returning 'dead', 'gone'`,
  };
}

function purgeOf(table: Table, prefix: string, was: string) {
  const id = table.column("id");
  return {
    sql: `with taken as (
  select ${id} as id from ${table.sql}
  where ${table.column("processed_at")} < least(before, now()) order by ${table.column("processed_at")} limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.id returning '${prefix}:' || row_of.${id}, '${was}', 'gone'`,
  };
}

export const pgTransactionalOutbox = definePreset<"outbox" | "inbox", keyof Constants>({
  id: "pg-transactional-outbox",
  title: "pg-transactional-outbox",
  versions: "0.5 to 0.6",
  revision: 2,
  schema: "public",
  tables: {
    outbox: { name: "outbox", needs: COLUMNS, optional: true },
    inbox: { name: "inbox", needs: COLUMNS, optional: true },
  },
  constants: {
    max_attempts: { kind: "integer", default: "5", says: "maxAttempts of the listener: how often a message is tried." },
    polling: {
      kind: "boolean",
      says: "Whether listeners poll (true) or read by logical replication (false), where a changed row is not sent again.",
    },
  },
  notes: [
    "The library does not store why a message was abandoned: its log has the error.",
    "A listener that polls takes the oldest open message of a segment first, so a requeued message is handled before newer ones of its segment, which may have been handled already.",
    "With logical replication nobody writes locked_until: a message that is being handled is shown as retrying.",
    "Deleting from the inbox, by discarding or by purging, also forgets that a message was received: the same message, delivered again, is handled again.",
    "Purging deletes processed messages only; abandoned ones are discarded one by one, or go by the library's own clean-up.",
  ],
  shape: ({ tables, constants }) => {
    const there = (["outbox", "inbox"] as const).filter((name) => tables.there(name));
    const prefix = { outbox: "out", inbox: "in" } as const;
    const origin = { outbox: "outgoing", inbox: "incoming" } as const;
    const requeue = there.map((name) => requeueOf(tables[name], prefix[name]));
    const polls = constants.polling.startsWith("'true'");
    return {
      views: {
        ...(tables.there("outbox") ? { outgoing: [outgoingPart(tables.outbox, constants)] } : {}),
        ...(tables.there("inbox") ? { incoming: [incomingPart(tables.inbox)] } : {}),
        dead: there.map((name) => deadPart(tables[name], prefix[name], origin[name])),
      },
      payload: there.map((name) => payloadOf(tables[name], prefix[name])),
      actions: {
        ...(polls ? { requeue } : {}),
        discard: there.map((name) => discardOf(tables[name], prefix[name])),
        purge: there.map((name) => purgeOf(tables[name], prefix[name], name === "outbox" ? "sent" : "done")),
      },
      unsafe: polls
        ? {}
        : {
            requeue:
              "Listeners read inserted rows by logical replication: an abandoned row that is changed is not sent again. Only the application can, with a new message.",
          },
      indexes: [],
    };
  },
});
