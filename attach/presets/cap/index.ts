import { definePreset, derived, notStored, stored, type PayloadPart, type StateRule } from "../../contract/preset";
import type { Family, Table } from "../../contract/tables";

/** Headers stand first in a message; a longer start is not searched for them. */
const SEARCHED_CHARACTERS = 16_384;
const MAX_HEADER_CHARACTERS = 1_000;

interface Constants {
  readonly max_attempts: string;
  readonly time_zone: string;
}

const COLUMNS: Readonly<Record<string, Family>> = {
  Id: "integer",
  Name: "text",
  Content: "text",
  Retries: "integer",
  Added: "zoneless",
  ExpiresAt: "zoneless",
  StatusName: "text",
};

/** A header of the message, without reading it as JSON: one that is none breaks no list. */
function header(table: Table, name: string): string {
  const start = `left(${table.column("Content")}, ${String(SEARCHED_CHARACTERS)})`;
  return `left(substring(${start} from '"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"'), ${String(MAX_HEADER_CHARACTERS)})`;
}

const isDead = (table: Table, { max_attempts }: Constants): string =>
  `${table.column("StatusName")} = 'Failed' and ${table.column("Retries")} >= ${max_attempts}`;

const isFinal = (table: Table): string => `${table.column("StatusName")} in ('Succeeded', 'Failed')`;

/** Columns that both tables have. */
function common(table: Table, prefix: string, { time_zone }: Constants) {
  return {
    id: stored(`'${prefix}:' || ${table.column("Id")}`),
    message_id: derived(header(table, "cap-msg-id"), "The header cap-msg-id of the message."),
    type: stored(table.column("Name")),
    order_key: notStored("CAP promises no order, and keeps no key of one."),
    tenant_ref: notStored("CAP knows no tenant; an application may put one into its message."),
    raw_state: stored(table.column("StatusName")),
    attempts: stored(table.column("Retries")),
    last_error: derived(header(table, "cap-exception"), "The header cap-exception of the message."),
    payload_codec: derived("'json'", "CAP writes JSON."),
    headers: notStored("They are a part of the message: its payload has them."),
    added: derived(table.time("Added", time_zone), "CAP writes the local time of its server; its zone was given."),
    expires: derived(
      `case when ${isFinal(table)} then ${table.time("ExpiresAt", time_zone)} end`,
      "Of a finished or failed message: when CAP deletes it.",
    ),
  };
}

function states<Done extends "sent" | "done">(
  table: Table,
  constants: Constants,
  done: Done,
): readonly { state: "dead" | "retrying" | "waiting" | "scheduled" | Done; when: string; says: string }[] {
  const status = table.column("StatusName");
  return [
    { state: "dead", when: isDead(table, constants), says: "Failed, and tried as often as it may be." },
    { state: "retrying", when: `${status} = 'Failed'`, says: "Failed, and tried again by the next pass." },
    { state: done, when: `${status} = 'Succeeded'`, says: "Succeeded." },
    { state: "scheduled", when: `${status} in ('Delayed', 'Queued')`, says: "Delayed, or due within a minute." },
    { state: "waiting", when: `${status} = 'Scheduled'`, says: "Scheduled: not tried yet, or being tried." },
  ];
}

const isDeadRow = (table: Table, constants: Constants): StateRule<"dead"> => ({
  state: "dead",
  when: isDead(table, constants),
  says: "Failed, and tried as often as it may be.",
});

function deadPart(table: Table, prefix: string, origin: string, constants: Constants) {
  const { id, type, order_key, tenant_ref, raw_state, attempts, last_error, payload_codec, added, expires } = common(
    table,
    prefix,
    constants,
  );
  return {
    from: table.sql,
    where: isDead(table, constants),
    columns: {
      ...{ id, type, order_key, tenant_ref, raw_state, attempts, payload_codec },
      origin: derived(`'${origin}'`, "By the table in which it stands."),
      first_seen_at: added,
      dead_at: notStored("CAP does not write when it gave up."),
      error_type: derived(
        `split_part(${header(table, "cap-exception")}, '-->', 1)`,
        "The part of cap-exception before its arrow.",
      ),
      error_message: last_error,
      error_trace: notStored("CAP keeps no trace."),
      replay_requested: notStored("CAP has no such wish: a message is failed or scheduled."),
      expires_at: expires,
    },
    states: [isDeadRow(table, constants)],
    order: [{ sql: table.column("Id"), type: "bigint" }] as const,
  };
}

function payloadOf(table: Table, prefix: string): PayloadPart {
  return {
    prefix,
    key: "bigint",
    sql: `select 'json', convert_to(${table.column("Content")}, 'UTF8') from ${table.sql} where ${table.column("Id")} = row_key::bigint`,
  };
}

/** What the retry pass picks up: failed, tried less often than it may be, and not about to be deleted. */
function requeueOf(table: Table, prefix: string, constants: Constants) {
  const [id, status, retries, expires] = ["Id", "StatusName", "Retries", "ExpiresAt"].map((name) => table.column(name));
  return {
    prefix,
    key: "bigint" as const,
    sql: `with taken as (
  select ${id} as id from ${table.sql} where ${id} = row_key::bigint and ${isDead(table, constants)} for update skip locked
)
update ${table.sql} as row_of set ${retries} = 0, ${expires} = row_of.${expires} + interval '15 days'
from taken where row_of.${id} = taken.id and row_of.${status} = 'Failed' and row_of.${retries} >= ${constants.max_attempts}
returning 'dead', 'retrying'`,
  };
}

function discardOf(table: Table, prefix: string, constants: Constants) {
  const id = table.column("Id");
  return {
    prefix,
    key: "bigint" as const,
    sql: `with taken as (
  select ${id} as id from ${table.sql} where ${id} = row_key::bigint and ${isDead(table, constants)} for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.id returning 'dead', 'gone'`,
  };
}

function purgeOf(table: Table, prefix: string, { time_zone }: Constants) {
  const id = table.column("Id");
  return {
    sql: `with taken as (
  select ${id} as id, ${table.column("StatusName")} as was from ${table.sql}
  where ${isFinal(table)} and ${table.time("ExpiresAt", time_zone)} < least(before, now()) limit most for update skip locked
)
delete from ${table.sql} as row_of using taken where row_of.${id} = taken.id returning '${prefix}:' || row_of.${id}, taken.was, 'gone'`,
  };
}

export const cap = definePreset<"published" | "received", keyof Constants>({
  id: "cap",
  title: "CAP",
  versions: "DotNetCore.CAP.PostgreSql 8 to 10",
  revision: 2,
  schema: "cap",
  tables: {
    published: { name: "published", needs: COLUMNS, not: ["Group"] },
    received: { name: "received", needs: { ...COLUMNS, Group: "text" } },
  },
  constants: {
    max_attempts: {
      kind: "integer",
      default: "50",
      says: "FailedRetryCount of the application: how often a message is tried.",
    },
    time_zone: { kind: "zone", says: "The time zone of the servers that run CAP, which writes their local time." },
  },
  notes: [
    "A failed message is dead once it was tried as often as `FailedRetryCount` says; CAP keeps that number in its configuration, so a wrong one shows retrying messages as dead or dead ones as retrying.",
    "`Scheduled` means both waiting and being sent: CAP takes no lock that others can see.",
    "Without `UseStorageLock` CAP's retry pass may read a row just before it is requeued here and write its old state back; the row then stays failed, and is requeued again.",
  ],
  shape: ({ tables: { published, received }, constants }) => {
    const out = common(published, "out", constants);
    const into = common(received, "in", constants);
    const { added: created_at, expires: expires_at, ...outgoing } = out;
    const { added: received_at, expires: keep_until, ...incoming } = into;
    return {
      views: {
        outgoing: [
          {
            from: published.sql,
            columns: {
              ...outgoing,
              created_at,
              expires_at,
              destination: stored(published.column("Name")),
              available_at: derived(
                `case when ${isFinal(published)} then null else coalesce(${published.time("ExpiresAt", constants.time_zone)}, ${published.time("Added", constants.time_zone)}) end`,
                "Of a delayed message: when it is sent; of any other that waits: when it was written.",
              ),
              locked_by: notStored("CAP does not write who sends a message."),
              locked_until: notStored("CAP takes no lock that others can see."),
              sent_at: notStored("CAP does not write when a message was sent."),
              max_attempts: derived(constants.max_attempts, "Given when the tables were attached."),
            },
            states: states(published, constants, "sent"),
            order: [{ sql: published.column("Id"), type: "bigint" }],
          },
        ],
        incoming: [
          {
            from: received.sql,
            columns: {
              ...incoming,
              received_at,
              keep_until,
              consumer: stored(received.column("Group")),
              handled_at: notStored("CAP does not write when a message was handled."),
            },
            states: states(received, constants, "done"),
            order: [{ sql: received.column("Id"), type: "bigint" }],
          },
        ],
        dead: [deadPart(published, "out", "outgoing", constants), deadPart(received, "in", "incoming", constants)],
      },
      payload: [payloadOf(published, "out"), payloadOf(received, "in")],
      actions: {
        requeue: [requeueOf(published, "out", constants), requeueOf(received, "in", constants)],
        discard: [discardOf(published, "out", constants), discardOf(received, "in", constants)],
        purge: [purgeOf(published, "out", constants), purgeOf(received, "in", constants)],
      },
      unsafe: {},
      indexes: [published, received].map((table) => ({
        says: "Dead messages by age: without it a list of the dead reads the whole table.",
        sql: `create index concurrently if not exists onceboard_dead_${table === published ? "published" : "received"} on ${table.sql} (${table.column("Id")}) where ${table.column("StatusName")} = 'Failed'`,
      })),
    };
  },
});
