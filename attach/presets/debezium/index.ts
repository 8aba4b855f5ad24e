import { definePreset, derived, notStored, stored } from "../../contract/preset";
import type { Table } from "../../contract/tables";

const NOT_THE_TABLE = "What was sent is known to the replication slot of the connector, not to this table.";
/** The last millisecond of the year 9999: a larger number is no time. */
const LAST_MILLISECOND = "253402300799999";

/** What the router takes the record's time from: a time, or milliseconds since 1970. */
function createdAt(table: Table) {
  if (!table.has("timestamp")) return notStored("This table has no column timestamp.");
  const type = table.type("timestamp");
  if (type.startsWith("timestamp"))
    return derived(table.time("timestamp"), "The column timestamp; one without a zone is read as UTC.");
  if (type !== "bigint") return notStored(`The column timestamp is ${type}, which is no time.`);
  const column = table.column("timestamp");
  return derived(
    `case when ${column} between 0 and ${LAST_MILLISECOND} then to_timestamp(${column} / 1000.0) end`,
    "The column timestamp, read as milliseconds since 1970.",
  );
}

function codecOf(table: Table): { readonly codec: string; readonly body: string } {
  const column = table.column("payload");
  const type = table.type("payload");
  if (type === "bytea") return { codec: "binary", body: column };
  return { codec: type.startsWith("json") ? "json" : "text", body: `convert_to(${column}::text, 'UTF8')` };
}

function outgoing(table: Table) {
  const { codec } = codecOf(table);
  const noAttempts = notStored("The connector retries by itself and counts nothing here.");
  const noLock = notStored("The connector reads the write-ahead log and locks no row.");
  return {
    from: table.sql,
    columns: {
      id: stored(`'out:' || ${table.column("id")}`),
      message_id: derived(table.column("id"), "The id of the row, which the router sends as a header of the event."),
      type: stored(table.column("type")),
      destination: derived(
        table.column("aggregatetype"),
        "The aggregate type: the router makes a topic of it, outbox.event.TYPE unless its configuration says otherwise.",
      ),
      order_key: stored(table.column("aggregateid")),
      tenant_ref: notStored("The outbox of Debezium has no column for a tenant."),
      raw_state: notStored("An outbox of Debezium has no state: the connector reads it from the write-ahead log."),
      created_at: createdAt(table),
      available_at: notStored("A message is read as soon as it is committed; it cannot be delayed."),
      locked_by: noLock,
      locked_until: noLock,
      sent_at: notStored(NOT_THE_TABLE),
      attempts: noAttempts,
      max_attempts: noAttempts,
      last_error: notStored("The connector logs why it stands still; the table does not have it."),
      payload_codec: derived(`'${codec}'`, "By the type of the column payload."),
      headers: notStored("Headers are made by the router out of columns that its configuration names."),
      expires_at: notStored("No row expires; whoever wrote it deletes it."),
    },
    states: [
      {
        state: "unknown" as const,
        when: "true",
        says: "The table has no state: a row that was sent looks like one that was not.",
      },
    ],
    order: [{ sql: table.column("id"), type: table.type("id") }] as const,
  };
}

function payloadOf(table: Table) {
  const key = table.type("id") === "uuid" ? ("uuid" as const) : ("text" as const);
  const { codec, body } = codecOf(table);
  return {
    prefix: "out",
    key,
    sql: `select '${codec}', ${body} from ${table.sql} where ${table.column("id")} = row_key::${key}`,
  };
}

export const debezium = definePreset<"outbox">({
  id: "debezium",
  title: "Debezium outbox event router",
  versions: "the columns of the router's defaults, Debezium 1 to 3",
  revision: 1,
  schema: "public",
  tables: {
    outbox: {
      name: "outbox",
      needs: { id: "uuid", aggregatetype: "text", aggregateid: "text", type: "text", payload: "any" },
      may: { timestamp: "any" },
    },
  },
  constants: {},
  notes: [
    "This table has no state at all, so nothing here says waiting, sent or failed: how far the connector has come is the confirmed_flush_lsn of its replication slot, in pg_replication_slots.",
    "The Quarkus extension deletes a row right after it wrote it, in the same transaction: the table is then always empty although everything is sent.",
    "A table that also has a published time, a status or attempts is read by a poller: attach it as an outbox of your own instead.",
    "Rows are listed by id; where ids are random the order says nothing about age.",
  ],
  shape: ({ tables: { outbox } }) => ({
    views: { outgoing: [outgoing(outbox)] },
    payload: [payloadOf(outbox)],
    actions: {},
    unsafe: {
      requeue:
        "A row is read once, from the write-ahead log: only the application can send an event again, as a new row with a new id. An update may stop the connector.",
      discard: "Once it is committed a row is in the write-ahead log, and is sent whether it is deleted or not.",
      purge:
        "The table does not say which rows the connector has passed; delete old rows where you can compare them with its replication slot.",
    },
    indexes: [],
  }),
});
