import { definePreset, derived, notStored, stored } from "../../contract/preset";
import type { Table } from "../../contract/tables";

const MAX_ERROR_CHARACTERS = 4_000;

const isDelayed = (table: Table): string =>
  `${table.column("processed_at")} is null and ${table.time("retry_at")} > now()`;

const keyOf = (table: Table) => (table.type("id") === "uuid" ? ("uuid" as const) : ("bigint" as const));

function outgoing(table: Table) {
  const noLock = notStored("A worker holds a row by a lock of its transaction or of Redis, which no column shows.");
  return {
    from: table.sql,
    columns: {
      id: stored(`'out:' || ${table.column("id")}`),
      message_id: notStored("The library gives its entries no id but that of the row."),
      type: stored(table.column("event_name")),
      destination: derived(table.column("context"), "The context, by which the library chooses the processor."),
      order_key: table.has("causality_key")
        ? stored(table.column("causality_key"))
        : notStored("This table has no column causality_key: entries are processed in no promised order."),
      tenant_ref: notStored("The library knows no tenant; some applications use one as the causality key."),
      raw_state: notStored("The library has no word for a state; it writes times."),
      created_at: derived(table.time("created_at"), "The column created_at; one without a zone is read as UTC."),
      available_at: derived(
        `case when ${table.column("processed_at")} is null then coalesce(${table.time("retry_at")}, ${table.time("created_at")}) end`,
        "Of an entry that waits: when it is tried again, or when it was written.",
      ),
      locked_by: noLock,
      locked_until: noLock,
      sent_at: derived(table.time("processed_at"), "The column processed_at; one without a zone is read as UTC."),
      attempts: derived(table.column("attempts"), "How often it failed: a success is not counted."),
      max_attempts: notStored("The library has no maximum: it tries for ever, each time later."),
      last_error: derived(
        `nullif(left(concat_ws(': ', ${table.column("error_class")}, ${table.column("error_message")}), ${String(MAX_ERROR_CHARACTERS)}), '')`,
        "Class and message of the last error; a success clears both.",
      ),
      payload_codec: derived("'json'", "Resource, arguments and changeset, put together as JSON."),
      headers: notStored("The library has no headers."),
      expires_at: notStored("The library deletes nothing."),
    },
    states: [
      { state: "sent" as const, when: `${table.column("processed_at")} is not null`, says: "Processed." },
      {
        state: "retrying" as const,
        when: isDelayed(table),
        says: "Failed, and tried again at its time; the library never gives up.",
      },
      {
        state: "waiting" as const,
        when: `${table.column("processed_at")} is null`,
        says: "Due: taken by the next worker, or being processed.",
      },
    ],
    order: [{ sql: table.column("id"), type: table.type("id") }] as const,
  };
}

/** Encrypted columns are text and are shown as they are stored. */
function payloadOf(table: Table) {
  const fields = ["resource_class", "resource_id", "arguments", "changeset"];
  const pairs = fields.map((name) => `'${name}', ${table.column(name)}`).join(", ");
  return {
    prefix: "out",
    key: keyOf(table),
    sql: `select 'json', convert_to(json_build_object(${pairs})::text, 'UTF8') from ${table.sql} where ${table.column("id")} = row_key::${keyOf(table)}`,
  };
}

/** The worker takes what is not processed and whose retry_at is null or past. */
function requeueOf(table: Table) {
  const id = table.column("id");
  return {
    prefix: "out",
    key: keyOf(table),
    sql: `with taken as (
  select ${id} as id from ${table.sql} where ${id} = row_key::${keyOf(table)} and ${isDelayed(table)} for update skip locked
)
update ${table.sql} as row_of set ${table.column("retry_at")} = null
from taken where row_of.${id} = taken.id and row_of.${table.column("processed_at")} is null
returning 'retrying', 'waiting'`,
  };
}

function purgeOf(table: Table) {
  const id = table.column("id");
  return {
    sql: `with taken as (
  select ${id} as id from ${table.sql} where ${table.time("processed_at")} < least(before, now()) limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.id returning 'out:' || row_of.${id}, 'sent', 'gone'`,
  };
}

export const railsTransactionalOutbox = definePreset<"entries">({
  id: "rails-transactional-outbox",
  title: "rails-transactional-outbox",
  versions: "1.2, with or without causality keys",
  revision: 1,
  schema: "public",
  tables: {
    entries: {
      name: "outbox_entries",
      needs: {
        id: "any",
        resource_class: "text",
        resource_id: "any",
        event_name: "text",
        context: "text",
        processed_at: "zoneless",
        arguments: "any",
        changeset: "any",
        failed_at: "zoneless",
        retry_at: "zoneless",
        error_class: "text",
        error_message: "text",
        attempts: "integer",
        created_at: "zoneless",
      },
      may: { causality_key: "text" },
    },
  },
  constants: {},
  notes: [
    "No entry is ever dead: the library tries for ever, each time twice as late, so look at attempts and at the age of the oldest waiting entry.",
    "An entry that a worker is processing looks like one that waits.",
    "Times without a zone are read as UTC, as Rails writes them unless it is told to write local time.",
    "Where the application encrypts arguments and changeset, the payload shows them encrypted.",
  ],
  shape: ({ tables: { entries } }) => ({
    views: { outgoing: [outgoing(entries)] },
    payload: [payloadOf(entries)],
    actions: { requeue: [requeueOf(entries)], purge: [purgeOf(entries)] },
    unsafe: {
      discard:
        "The library never gives an entry up, and one that a worker is processing under a lock of Redis cannot be told from one that waits.",
    },
    indexes: [],
  }),
});
