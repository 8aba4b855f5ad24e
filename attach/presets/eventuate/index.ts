import { definePreset, derived, notStored, stored } from "../../contract/preset";
import type { Table } from "../../contract/tables";
import { epochTime } from "../key-actions";

const MAX_HEADER_CHARACTERS = 16_384;
const MAX_TYPE_CHARACTERS = 300;
const IN_MS = "creation_time, in milliseconds since 1970.";

interface Constants {
  readonly polling: string;
}

/** A header of a message, without reading it as JSON: one that is none breaks no list. */
const header = (table: Table, names: string): string =>
  `substring(left(${table.column("headers")}::text, ${String(MAX_HEADER_CHARACTERS)}) from '"(?:${names})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"')`;

/** Where the database counts messages, that number names a row, and the id is made of it when it is read. */
const keyOf = (table: Table) =>
  table.has("dbid")
    ? ({ sql: table.column("dbid"), key: "bigint", type: "bigint" } as const)
    : ({ sql: table.column("id"), key: "text", type: "text" } as const);

function outgoing(table: Table, { polling }: Constants) {
  const noLock = notStored("The CDC service reads messages and locks no row.");
  const noTries = notStored("The CDC service tries for ever, and counts nothing here.");
  const published = table.column("published");
  const key = keyOf(table);
  return {
    from: table.sql,
    columns: {
      id: stored(`'out:' || ${key.sql}`),
      message_id: table.has("dbid")
        ? notStored("The id of a message is made of its number when it is read.")
        : stored(table.column("id")),
      type: derived(
        `left(${header(table, "event-type|command_type|reply_type")}, ${String(MAX_TYPE_CHARACTERS)})`,
        "The header event-type, command_type or reply_type.",
      ),
      destination: stored(table.column("destination")),
      order_key: derived(header(table, "PARTITION_ID"), "The header PARTITION_ID: messages of one are sent in order."),
      tenant_ref: notStored("Eventuate knows no tenant; an application may put one into a header."),
      raw_state: derived(`${published}::text`, "The column published: 1 when the polling reader has sent it."),
      created_at: derived(epochTime(table.column("creation_time")), IN_MS),
      available_at: notStored("A message is sent as soon as it is read; it cannot be delayed."),
      locked_by: noLock,
      locked_until: noLock,
      sent_at: notStored("published is a mark without a time."),
      attempts: noTries,
      max_attempts: noTries,
      last_error: notStored("Why the CDC service stands still is in its log."),
      payload_codec: derived("'json'", "Eventuate writes JSON."),
      headers: derived(
        `left(${table.column("headers")}::text, ${String(MAX_HEADER_CHARACTERS)})`,
        "The start of the column headers.",
      ),
      expires_at: notStored("No message expires."),
    },
    states: [
      { state: "sent" as const, when: `${published} = 1`, says: "Published: the polling reader has sent it." },
      {
        state: "waiting" as const,
        when: `${published} = 0 and ${polling}`,
        says: "Not sent yet: the polling reader has not come to it.",
      },
      {
        state: "unknown" as const,
        when: `${published} = 0`,
        says: "Not marked: a reader of the write-ahead log may have sent it, and writes that nowhere.",
      },
    ],
    order: [{ sql: key.sql, type: key.type }] as const,
  };
}

function incoming(table: Table) {
  const [consumer, message] = [table.column("consumer_id"), table.column("message_id")];
  const noMessage = "Only the ids of a message that was handled are kept.";
  return {
    from: table.sql,
    columns: {
      id: derived(
        `'in:' || length(${consumer}) || ':' || ${consumer} || ${message}`,
        "Made of consumer_id and message_id, the length of the first before it.",
      ),
      message_id: stored(message),
      consumer: stored(consumer),
      type: notStored(noMessage),
      order_key: notStored(noMessage),
      tenant_ref: notStored(noMessage),
      raw_state: notStored("A row is there when its message was handled; there is no other state."),
      received_at: notStored("A row is written when its message was handled."),
      handled_at: derived(epochTime(table.column("creation_time")), IN_MS),
      attempts: notStored("A try that failed leaves no row."),
      last_error: notStored("A try that failed leaves no row."),
      payload_codec: notStored(noMessage),
      headers: notStored(noMessage),
      keep_until: notStored("Eventuate keeps what was handled until its cleaner is set to delete it."),
    },
    states: [{ state: "done" as const, when: "true", says: "Handled: its handler committed together with this row." }],
    order: [
      { sql: consumer, type: "text" },
      { sql: message, type: "text" },
    ] as const,
  };
}

/** What Eventuate's own cleaner deletes where messages are polled. */
function purgeOf(table: Table) {
  const key = keyOf(table).sql;
  return {
    sql: `with taken as (
  select ${key} as id from ${table.sql}
  where ${table.column("published")} = 1
    and ${table.column("creation_time")} < (extract(epoch from least(greatest(before, 'epoch'), now())) * 1000)::bigint
  limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${key} = taken.id returning 'out:' || row_of.${key}, 'sent', 'gone'`,
  };
}

export const eventuate = definePreset<"messages" | "received", keyof Constants>({
  id: "eventuate",
  title: "Eventuate Tram",
  versions: "eventuate-tram-core 0.36, over JDBC",
  revision: 1,
  schema: "eventuate",
  tables: {
    messages: {
      name: "message",
      needs: {
        id: "text",
        destination: "text",
        headers: "json",
        payload: "json",
        published: "integer",
        creation_time: "integer",
      },
      may: { dbid: "integer" },
    },
    received: {
      name: "received_messages",
      needs: { consumer_id: "text", message_id: "text", creation_time: "integer", published: "integer" },
      optional: true,
    },
  },
  constants: {
    polling: {
      kind: "boolean",
      says: "Whether Eventuate's CDC service polls the table of messages, true or false. Only then is a message marked when it is sent; a reader of the write-ahead log leaves the mark at 0.",
    },
  },
  notes: [
    "No message is ever given up, and no failure is stored: that something is wrong shows as the age of the oldest message that waits, and only where messages are polled.",
    "A reader of the write-ahead log marks nothing: how far it has come is the confirmed_flush_lsn of its replication slot, in pg_replication_slots.",
    "Where messages are spread over several tables (message0, message1, …) one of them is attached; attach the others as outboxes of your own.",
    "Deleting what was received forgets it: delivered again, it is handled again. It is not offered.",
  ],
  shape: ({ tables: { messages, received, there }, constants }) => {
    const { sql, key } = keyOf(messages);
    return {
      views: {
        outgoing: [outgoing(messages, constants)],
        ...(there("received") ? { incoming: [incoming(received)] } : {}),
      },
      payload: [
        {
          prefix: "out",
          key,
          sql: `select 'json', convert_to(${messages.column("payload")}::text, 'UTF8') from ${messages.sql} where ${sql} = row_key${key === "text" ? "" : `::${key}`}`,
        },
      ],
      actions: { purge: [purgeOf(messages)] },
      unsafe: {
        requeue:
          "No message is given up: one that was not sent is tried for ever, and one that was would be sent again.",
        discard:
          "The CDC service may be reading any message that waits, and leaves no lock by which that could be told.",
      },
      caveats: {
        purge: "Only what the polling reader marked is deleted: what a reader of the write-ahead log sent stays.",
      },
      indexes: [],
    };
  },
});
