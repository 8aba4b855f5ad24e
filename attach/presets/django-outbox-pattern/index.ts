import { definePreset, derived, notStored, stored, type PayloadPart } from "../../contract/preset";
import type { Table } from "../../contract/tables";

const MAX_HEADER_CHARACTERS = 16_384;
/** Statuses of the library: given up, to be published, and done. */
const [FAILED, SCHEDULED, SUCCEEDED] = ["-1", "1", "2"];

interface Constants {
  readonly max_attempts: string;
}

const is = (table: Table, status: string): string => `${table.column("status")} = ${status}`;

/** The publisher takes no message whose time is over, and says nothing of it. */
const isExpired = (table: Table): string => `${is(table, SCHEDULED)} and ${table.time("expires_at")} < now()`;

const headersOf = (table: Table) =>
  table.has("headers")
    ? derived(
        `left(${table.column("headers")}::text, ${String(MAX_HEADER_CHARACTERS)})`,
        "The start of the column headers.",
      )
    : notStored("This version of the table has no column headers.");

function common(table: Table, prefix: string) {
  return {
    id: stored(`'${prefix}:' || ${table.column("id")}`),
    order_key: notStored("The library promises no order, and keeps no key of one."),
    tenant_ref: notStored("The library knows no tenant."),
    raw_state: stored(table.column("status")),
    last_error: notStored("The library logs an error and does not store it."),
    payload_codec: derived("'json'", "The column body is JSON."),
  };
}

const attemptsOf = (table: Table) =>
  derived(
    table.column("retry"),
    "Failed tries, written once when the message was sent or given up; while it is being tried it does not grow.",
  );

function outgoingPart(table: Table, { max_attempts }: Constants) {
  const noLock = notStored("The publisher holds rows by locks of its transaction, which no column shows.");
  return {
    from: table.sql,
    columns: {
      ...common(table, "out"),
      message_id: derived(table.column("id"), "The id of the row, which is sent as the header dop-msg-id."),
      type: notStored("A message has no type: its destination, with its version, says what it is."),
      destination: stored(table.column("destination")),
      created_at: stored(table.time("added")),
      available_at: notStored("A message is due as soon as it is written; it cannot be delayed."),
      locked_by: noLock,
      locked_until: noLock,
      sent_at: notStored("The library does not write when a message was sent."),
      attempts: attemptsOf(table),
      max_attempts: derived(max_attempts, "Given when the tables were attached."),
      headers: headersOf(table),
      expires_at: derived(
        `case when ${is(table, SCHEDULED)} then ${table.time("expires_at")} end`,
        "Of a message that waits: until when it is sent. Of others the library writes this time and does not read it.",
      ),
    },
    states: [
      { state: "sent" as const, when: is(table, SUCCEEDED), says: "Sent (2)." },
      {
        state: "dead" as const,
        when: is(table, FAILED),
        says: "Given up (-1): tried as often as it may be.",
      },
      {
        state: "expired" as const,
        when: isExpired(table),
        says: "Waiting (1), but past expires_at: the publisher passes over it and never sends it.",
      },
      { state: "waiting" as const, when: is(table, SCHEDULED), says: "Waiting (1), or being sent." },
    ],
    order: byAge(table),
  };
}

function incomingPart(table: Table) {
  return {
    from: table.sql,
    columns: {
      ...common(table, "in"),
      message_id: stored(table.column("msg_id")),
      consumer: notStored("The library does not write which subscriber received a message."),
      type: notStored("A message has no type: its headers say where it came from."),
      received_at: stored(table.time("added")),
      handled_at: notStored(
        "The library does not write when a message was handled; the row is written by handling it.",
      ),
      attempts: attemptsOf(table),
      headers: headersOf(table),
      keep_until: notStored("Rows are deleted by age, by a number of days that is set in the application."),
    },
    states: [
      { state: "done" as const, when: is(table, SUCCEEDED), says: "Handled (2)." },
      {
        state: "dead" as const,
        when: is(table, FAILED),
        says: "Failed in the handler (-1) and given back to the broker; only older versions write this.",
      },
      { state: "waiting" as const, when: is(table, SCHEDULED), says: "Written, and not handled yet (1)." },
    ],
    order: byAge(table),
  };
}

function deadPart(table: Table) {
  const { id, order_key, tenant_ref, raw_state, last_error, payload_codec } = common(table, "out");
  return {
    from: table.sql,
    where: is(table, FAILED),
    columns: {
      ...{ id, order_key, tenant_ref, raw_state, payload_codec },
      origin: stored("'outgoing'"),
      type: notStored("A message has no type: its destination, with its version, says what it is."),
      first_seen_at: stored(table.time("added")),
      dead_at: derived(
        `${table.time("expires_at")} - interval '15 days'`,
        "The library sets expires_at to fifteen days after it gave up.",
      ),
      attempts: attemptsOf(table),
      error_type: last_error,
      error_message: last_error,
      error_trace: last_error,
      replay_requested: notStored("The library has no such wish: a message is failed or it waits."),
      expires_at: notStored("Rows are deleted by age, by a number of days that is set in the application."),
    },
    states: [{ state: "dead" as const, when: "true", says: "Given up (-1): tried as often as it may be." }],
    order: byAge(table),
  };
}

/** The library has an index on when a row was added. */
const byAge = (table: Table) =>
  [
    { sql: table.column("added"), type: table.type("added") },
    { sql: table.column("id"), type: table.type("id") },
  ] as const;

function payloadOf(table: Table, prefix: string): PayloadPart {
  return {
    prefix,
    key: "uuid",
    sql: `select 'json', convert_to(${table.column("body")}::text, 'UTF8') from ${table.sql} where ${table.column("id")} = row_key::uuid`,
  };
}

/** What the publisher takes: waiting, and not past its time. Its own default is one day. */
function requeueOf(table: Table) {
  const [id, status, expires] = [table.column("id"), table.column("status"), table.column("expires_at")];
  return {
    prefix: "out",
    key: "uuid" as const,
    sql: `with taken as (
  select ${id} as id, case when ${is(table, FAILED)} then 'dead' else 'expired' end as was from ${table.sql}
  where ${id} = row_key::uuid and (${is(table, FAILED)} or (${isExpired(table)})) for update skip locked
)
update ${table.sql} as row_of set ${status} = ${SCHEDULED}, ${table.column("retry")} = 0, ${expires} = greatest(row_of.${expires}, now() + interval '1 day')
from taken where row_of.${id} = taken.id and row_of.${status} in (${FAILED}, ${SCHEDULED})
returning taken.was, 'waiting'`,
  };
}

function purgeOf(table: Table) {
  const [id, added] = [table.column("id"), table.column("added")];
  return {
    sql: `with taken as (
  select ${id} as id from ${table.sql} where ${is(table, SUCCEEDED)} and ${added} < least(before, now()) order by ${added} limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.id returning 'out:' || row_of.${id}, 'sent', 'gone'`,
  };
}

export const djangoOutboxPattern = definePreset<"published" | "received", keyof Constants>({
  id: "django-outbox-pattern",
  title: "django-outbox-pattern",
  versions: "3",
  revision: 1,
  schema: "public",
  tables: {
    published: {
      name: "published",
      needs: {
        id: "uuid",
        destination: "text",
        body: "json",
        added: "time",
        expires_at: "time",
        retry: "integer",
        status: "integer",
      },
      may: { headers: "json" },
    },
    received: {
      name: "received",
      needs: {
        id: "uuid",
        msg_id: "text",
        body: "json",
        headers: "json",
        added: "time",
        expires_at: "time",
        retry: "integer",
        status: "integer",
      },
    },
  },
  constants: {
    max_attempts: {
      kind: "integer",
      default: "50",
      says: "DEFAULT_MAXIMUM_RETRY_ATTEMPTS of the application: how often a message is tried before it is given up.",
    },
  },
  notes: [
    "A waiting message that is past expires_at, one day after it was written unless the application says otherwise, is never sent and nobody is told: look for expired messages first.",
    "Requeuing an expired message sends it late: ask whether it should still be sent.",
    "The publisher holds its rows locked for as long as it sends, with pauses of minutes when the broker is away; a row that it holds is not requeued.",
    "Every row goes when it is older than DAYS_TO_KEEP_DATA, 30 days unless set, whatever its state.",
    "The library does not store why a message failed, nor when it was sent.",
  ],
  shape: ({ tables: { published, received }, constants }) => ({
    views: {
      outgoing: [outgoingPart(published, constants)],
      incoming: [incomingPart(received)],
      dead: [deadPart(published)],
    },
    payload: [payloadOf(published, "out"), payloadOf(received, "in")],
    actions: { requeue: [requeueOf(published)], purge: [purgeOf(published)] },
    unsafe: {
      discard:
        "The library deletes no single message: a failed one stays until all rows of its age go, and does no harm until then.",
    },
    indexes: [],
  }),
});
