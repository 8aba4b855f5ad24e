import { definePreset, derived, notStored, stored } from "../../contract/preset";
import type { Table } from "../../contract/tables";

const MAX_HEADER_CHARACTERS = 16_384;

const isRetrying = (table: Table, now = "now()"): string =>
  `${table.column("times_attempted")} > 0 and ${table.time("scheduled_at")} > ${now}`;

function outgoing(table: Table) {
  const noLock = notStored("Readers take no lock: two of them may send the same message.");
  const inTheBytes = notStored("The library stores bytes of the application; what is in them it does not know.");
  return {
    from: table.sql,
    columns: {
      id: stored(`'out:' || ${table.column("id")}`),
      message_id: stored(table.column("id")),
      type: inTheBytes,
      destination: inTheBytes,
      order_key: notStored("The library promises no order, and keeps no key of one."),
      tenant_ref: inTheBytes,
      raw_state: notStored("The library has no state: a row waits, and is deleted when it was sent."),
      created_at: stored(table.time("created_at")),
      available_at: stored(table.time("scheduled_at")),
      locked_by: noLock,
      locked_until: noLock,
      sent_at: notStored("A message that was sent is deleted."),
      attempts: stored(table.column("times_attempted")),
      max_attempts: notStored("The limit is set in the reader; a message that reaches it is deleted, not kept."),
      last_error: notStored("The reader hands errors to the application and does not store them."),
      payload_codec: derived("'binary'", "The column payload is bytes."),
      headers: derived(
        `left(encode(${table.column("metadata")}, 'escape'), ${String(MAX_HEADER_CHARACTERS)})`,
        "The start of the bytes of metadata as text; what is not ASCII is shown as octal numbers.",
      ),
      expires_at: notStored("No message expires."),
    },
    states: [
      {
        state: "retrying" as const,
        when: isRetrying(table),
        says: "Failed, and tried again at its time.",
      },
      {
        state: "scheduled" as const,
        when: `${table.time("scheduled_at")} > now()`,
        says: "Not tried yet, and to be sent later.",
      },
      {
        state: "waiting" as const,
        when: `${table.time("scheduled_at")} <= now()`,
        says: "Due: taken by the next read, or being sent.",
      },
    ],
    order: [
      { sql: table.column("created_at"), type: table.type("created_at") },
      { sql: table.column("id"), type: table.type("id") },
    ] as const,
  };
}

/**
 * Readers take what is scheduled for now or before. A transaction that began before another one's requeue must see that the message is due:
 * its own `now()` lies before the time that the other one wrote.
 */
function requeueOf(table: Table) {
  const id = table.column("id");
  const retrying = isRetrying(table, "clock_timestamp()");
  return {
    prefix: "out",
    key: "uuid" as const,
    sql: `with taken as (
  select ${id} as id from ${table.sql} where ${id} = row_key::uuid and ${retrying} for update skip locked
)
update ${table.sql} as row_of set ${table.column("scheduled_at")} = now()
from taken where row_of.${id} = taken.id
returning 'retrying', 'waiting'`,
  };
}

export const oagudoOutbox = definePreset<"outbox">({
  id: "oagudo-outbox",
  title: "oagudo/outbox",
  versions: "1.0.1, for Go",
  revision: 2,
  schema: "public",
  tables: {
    outbox: {
      name: "outbox",
      needs: {
        id: "uuid",
        created_at: "time",
        scheduled_at: "time",
        metadata: "bytes",
        payload: "bytes",
        times_attempted: "integer",
      },
    },
  },
  constants: {},
  notes: [
    "What was sent is deleted, and so is what was tried as often as the reader's limit: neither can be seen here, and a lost message leaves no row.",
    "Failures show only as attempts and as the age of the oldest row; the error is not stored.",
    "Requeuing sends a message earlier than its delay. One that has reached the limit of the reader is deleted by its next read instead of sent, sooner than without it.",
    "A reader writes its result without looking: one that is just failing may set its delay again after a requeue.",
    "Version 1.0.1 itself, with its writer and its reader, left rows that wait, are scheduled and are retried, and each was shown so; one that was requeued by two at once was sent once, and was gone.",
  ],
  shape: ({ tables: { outbox } }) => ({
    views: { outgoing: [outgoing(outbox)] },
    payload: [
      {
        prefix: "out",
        key: "uuid",
        sql: `select 'binary', ${outbox.column("payload")} from ${outbox.sql} where ${outbox.column("id")} = row_key::uuid`,
      },
    ],
    actions: { requeue: [requeueOf(outbox)] },
    unsafe: {
      discard: "Readers take no lock, so a message that is being sent cannot be told from one that waits.",
      purge: "There is nothing old to delete: a message that was sent is gone.",
    },
    indexes: [],
  }),
});
