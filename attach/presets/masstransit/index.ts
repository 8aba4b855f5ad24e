import { definePreset, derived, notStored, stored, type PurgePart, type ViewPart } from "../../contract/preset";
import type { Table, TableSpec } from "../../contract/tables";

/** Of headers that a list shows. */
const MAX_HEADERS_CHARACTERS = 4_000;

interface Constants {
  readonly duplicate_window: string;
}

const INBOX: TableSpec = {
  name: "InboxState",
  needs: {
    Id: "integer",
    MessageId: "uuid",
    ConsumerId: "uuid",
    LockId: "uuid",
    Received: "time",
    ReceiveCount: "integer",
    ExpirationTime: "time",
    Consumed: "time",
    Delivered: "time",
    LastSequenceNumber: "integer",
  },
};

const OUTBOX: TableSpec = {
  name: "OutboxState",
  needs: { OutboxId: "uuid", LockId: "uuid", Created: "time", Delivered: "time", LastSequenceNumber: "integer" },
};

const MESSAGE: TableSpec = {
  name: "OutboxMessage",
  needs: {
    SequenceNumber: "integer",
    MessageId: "uuid",
    EnqueueTime: "time",
    SentTime: "time",
    Headers: "text",
    InboxMessageId: "uuid",
    InboxConsumerId: "uuid",
    OutboxId: "uuid",
    ContentType: "text",
    Body: "text",
    DestinationAddress: "text",
    ExpirationTime: "time",
  },
  may: { MessageType: "text" },
};

const codec = (message: Table): string =>
  `case when ${message.column("ContentType")} like '%json%' then 'json' else 'text' end`;

/** The sweeper goes by the rows of `OutboxState`, a consumer by its own of `InboxState`: without them nobody looks for a message. */
function isOrphan(message: Table, inbox: Table, outbox: Table): string {
  const of = (name: string): string => `message.${message.column(name)}`;
  // A limit keeps the planner from reading all of both tables into memory for a page of fifty rows.
  return `(select 1 from ${outbox.sql} as box where box.${outbox.column("OutboxId")} = ${of("OutboxId")} limit 1) is null
      and (select 1 from ${inbox.sql} as box where box.${inbox.column("MessageId")} = ${of("InboxMessageId")} and box.${inbox.column("ConsumerId")} = ${of("InboxConsumerId")} limit 1) is null`;
}

function outgoing(message: Table, inbox: Table, outbox: Table): readonly ViewPart<"outgoing">[] {
  const id = message.column("SequenceNumber");
  const deleted = "MassTransit deletes a message when it was sent: what is here was not.";
  return [
    {
      from: `${message.sql} as message`,
      columns: {
        id: stored(`'out:' || ${id}`),
        message_id: stored(message.column("MessageId")),
        type: message.has("MessageType")
          ? derived(`split_part(${message.column("MessageType")}, ';', 1)`, "The first type that the message lists.")
          : notStored("This version of MassTransit keeps the type inside of the body."),
        destination: stored(message.column("DestinationAddress")),
        order_key: derived(
          `coalesce(${message.column("OutboxId")}, ${message.column("InboxMessageId")})::text`,
          "Messages of one transaction are sent in their order: its OutboxId, or the message that it consumed.",
        ),
        tenant_ref: notStored("MassTransit knows no tenant; an application may put one into a header."),
        raw_state: notStored("MassTransit stores no state of a message: it is there until it was sent."),
        created_at: stored(message.time("SentTime")),
        available_at: derived(
          `coalesce(${message.time("EnqueueTime")}, ${message.time("SentTime")})`,
          "EnqueueTime of a delayed message, else when it was written. MassTransit does not hold a message back until then.",
        ),
        locked_by: notStored("LockId is a random number of one pass, and names nobody."),
        locked_until: notStored("A pass holds a row lock and nothing with a time; it ends with its transaction."),
        sent_at: notStored(deleted),
        attempts: notStored("A send that failed is not written: MassTransit tries again, for ever."),
        max_attempts: notStored("MassTransit never gives up on a message of its outbox."),
        last_error: notStored("A send that failed is in the log of the application, and not in these tables."),
        payload_codec: derived(codec(message), "JSON where ContentType says so, else text."),
        headers: derived(
          `left(${message.column("Headers")}, ${String(MAX_HEADERS_CHARACTERS)})`,
          "The beginning of the headers.",
        ),
        expires_at: stored(message.time("ExpirationTime")),
      },
      states: [
        {
          state: "unknown",
          when: isOrphan(message, inbox, outbox),
          says: "The row of OutboxState or InboxState that it belongs to is not there, and without it MassTransit does not send it.",
        },
        {
          state: "waiting",
          when: "true",
          says: "Not sent yet. One that waits for long is stuck, or stands behind one of the same transaction that is: failures are not stored.",
        },
      ],
      order: [{ sql: id, type: "bigint" }],
    },
  ];
}

function incoming(inbox: Table, { duplicate_window }: Constants): readonly ViewPart<"incoming">[] {
  const [id, consumed, delivered] = [inbox.column("Id"), inbox.column("Consumed"), inbox.column("Delivered")];
  return [
    {
      from: inbox.sql,
      columns: {
        id: stored(`'in:' || ${id}`),
        message_id: stored(inbox.column("MessageId")),
        consumer: derived(
          inbox.column("ConsumerId"),
          "A hash of the endpoint and its consumer, from which no name can be read.",
        ),
        type: notStored("The inbox keeps the id of a message, and not its type."),
        order_key: notStored("The inbox keeps no key of an order."),
        tenant_ref: notStored("MassTransit knows no tenant."),
        raw_state: derived(
          `case when ${delivered} is not null then 'Delivered' when ${consumed} is not null then 'Consumed' else 'Received' end`,
          "The last of Received, Consumed and Delivered that is set.",
        ),
        received_at: stored(inbox.time("Received")),
        handled_at: derived(
          inbox.time("Delivered"),
          "When its consumer had run and all that it sent was with the broker.",
        ),
        attempts: notStored(
          "ReceiveCount is not the number of attempts: a failed one takes its count back, and a first success ends at 3.",
        ),
        last_error: notStored("The error of a consumer goes to the broker's error queue, and not into these tables."),
        payload_codec: notStored("The inbox keeps no payload."),
        headers: notStored("The inbox keeps no headers."),
        keep_until: derived(
          `${inbox.time("Delivered")} + ${duplicate_window}`,
          "Delivered and the duplicate window: after it MassTransit deletes the row.",
        ),
      },
      states: [
        { state: "done", when: `${delivered} is not null`, says: "Consumed, and all that it sent is with the broker." },
        {
          state: "sending",
          when: `${consumed} is not null`,
          says: "Consumed; messages that it sent are not all with the broker.",
        },
        {
          state: "in_progress",
          when: "true",
          says: "Being consumed, or failed and left to the broker to deliver again: these tables do not tell which.",
        },
      ],
      order: [{ sql: id, type: "bigint" }],
    },
  ];
}

/** What MassTransit's own cleanup deletes; a row to which messages still belong stays. */
function purgeOf(inbox: Table, message: Table, { duplicate_window }: Constants): PurgePart {
  const of = (name: string): string => `row_of.${inbox.column(name)}`;
  const old = `${inbox.time("Delivered")} < least(before, now() - ${duplicate_window})`;
  const empty = `not exists (select 1 from ${message.sql} as message where message.${message.column("InboxMessageId")} = ${of("MessageId")} and message.${message.column("InboxConsumerId")} = ${of("ConsumerId")})`;
  return {
    sql: `with taken as (
  select ${of("Id")} as id from ${inbox.sql} as row_of where ${old} and ${empty} limit most for update skip locked
)
delete from ${inbox.sql} as row_of using taken where ${of("Id")} = taken.id and ${old} and ${empty}
returning 'in:' || taken.id, 'done', 'gone'`,
  };
}

export const masstransit = definePreset<"inbox" | "outbox" | "message", keyof Constants>({
  id: "masstransit",
  title: "MassTransit",
  versions: "MassTransit.EntityFrameworkCore 8",
  revision: 2,
  schema: "public",
  tables: { inbox: INBOX, outbox: OUTBOX, message: MESSAGE },
  constants: {
    duplicate_window: {
      kind: "interval",
      default: "30 minutes",
      says: "`DuplicateDetectionWindow` of the outbox: how long MassTransit keeps a message that was consumed, to know it again.",
    },
  },
  notes: [
    "A failed send is stored nowhere: no attempt, no error, no dead message. What tells trouble is how long the oldest message waits; a healthy outbox is empty within seconds.",
    "Messages of one transaction are sent in their order. One that cannot be sent keeps those behind it waiting, so look at the oldest message of an order key.",
    "ReceiveCount of the inbox looks like attempts and is not. A row that was received and not consumed is being worked on, or waits for the broker to deliver it again.",
  ],
  shape: ({ tables: { inbox, outbox, message }, constants }) => ({
    views: { outgoing: outgoing(message, inbox, outbox), incoming: incoming(inbox, constants) },
    payload: [
      {
        prefix: "out",
        key: "bigint",
        sql: `select ${codec(message)}, convert_to(${message.column("Body")}, 'UTF8') from ${message.sql} where ${message.column("SequenceNumber")} = row_key::bigint`,
      },
    ],
    actions: { purge: [purgeOf(inbox, message, constants)] },
    unsafe: {
      requeue: "There is nothing to requeue: MassTransit tries to send every message of its outbox until it succeeds.",
      discard:
        "MassTransit reads messages and deletes them after it sent them, in one transaction. One that disappears in between fails that transaction, and messages that were sent already are sent again. Which row is locked meanwhile differs between its versions, so no statement is safe with all of them.",
    },
    indexes: [],
  }),
});
