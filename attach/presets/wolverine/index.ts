import { definePreset, derived, notStored, stored, type ActionPart, type ViewPart } from "../../contract/preset";
import type { Table, TableSpec } from "../../contract/tables";

/** Of the text of an exception that a list shows. */
const MAX_MESSAGE_CHARACTERS = 4_000;

const INCOMING: TableSpec = {
  name: "wolverine_incoming_envelopes",
  needs: {
    id: "uuid",
    status: "text",
    owner_id: "integer",
    execution_time: "time",
    attempts: "integer",
    body: "bytes",
    message_type: "text",
    received_at: "text",
    keep_until: "time",
  },
  may: { timestamp: "time" },
};

const OUTGOING: TableSpec = {
  name: "wolverine_outgoing_envelopes",
  needs: {
    id: "uuid",
    owner_id: "integer",
    destination: "text",
    deliver_by: "time",
    body: "bytes",
    attempts: "integer",
    message_type: "text",
  },
  may: { timestamp: "time" },
};

const DEAD: TableSpec = {
  name: "wolverine_dead_letters",
  needs: {
    id: "uuid",
    execution_time: "time",
    body: "bytes",
    message_type: "text",
    received_at: "text",
    source: "text",
    exception_type: "text",
    exception_message: "text",
    sent_at: "time",
    replayable: "boolean",
  },
  may: { expires: "time" },
};

/** Columns that all three tables have. */
function common(table: Table, prefix: string) {
  return {
    id: stored(`'${prefix}:' || ${table.column("id")}`),
    type: stored(table.column("message_type")),
    order_key: notStored("A group id is a part of the binary body."),
    tenant_ref: notStored("A tenant is a part of the binary body, or has a database of its own."),
    payload_codec: derived("'binary'", "Wolverine writes whole envelopes in a binary format of its own."),
  };
}

/** When Wolverine writes it, which it does only in some configurations. */
const writtenAt = (table: Table) =>
  table.has("timestamp")
    ? stored(table.time("timestamp"))
    : notStored("Wolverine writes no time of arrival unless it is told when an envelope is stale.");

const order = (table: Table) => [{ sql: table.column("id"), type: "uuid" }] as const;

const owner = (table: Table) => table.column("owner_id");

function outgoing(table: Table): readonly ViewPart<"outgoing">[] {
  return [
    {
      from: table.sql,
      columns: {
        ...common(table, "out"),
        message_id: stored(table.column("id")),
        destination: stored(table.column("destination")),
        raw_state: notStored("An outgoing envelope has no state: it is there until it was sent."),
        created_at: writtenAt(table),
        available_at: notStored(
          "An outgoing envelope is due at once; what is to be sent later waits as an incoming one.",
        ),
        locked_by: derived(`nullif(${owner(table)}, 0)::text`, "The number of the node that sends it; 0 is any node."),
        locked_until: notStored("A node owns an envelope until it sent it, or until it is found to be gone."),
        sent_at: notStored("Wolverine deletes an envelope when it was sent."),
        attempts: stored(table.column("attempts")),
        max_attempts: notStored("How often Wolverine tries is a policy in the code of the application."),
        last_error: notStored("A failed send is in the log of the application, and not in this table."),
        headers: notStored("They are a part of the binary body."),
        expires_at: stored(table.time("deliver_by")),
      },
      states: [
        {
          state: "expired",
          when: `${table.time("deliver_by")} < now()`,
          says: "Too late: Wolverine deletes it unsent.",
        },
        { state: "in_progress", when: `${owner(table)} <> 0`, says: "A node has it, and sends it or is about to." },
        { state: "retrying", when: `${table.column("attempts")} > 0`, says: "Tried before, and free for any node." },
        { state: "waiting", when: "true", says: "Free for any node, and not tried yet." },
      ],
      order: order(table),
    },
  ];
}

function incoming(table: Table): readonly ViewPart<"incoming">[] {
  const status = table.column("status");
  return [
    {
      from: table.sql,
      columns: {
        ...common(table, "in"),
        message_id: stored(table.column("id")),
        consumer: derived(
          table.column("received_at"),
          "received_at, which is the address of the listener that it came to, and not a time.",
        ),
        raw_state: stored(status),
        received_at: writtenAt(table),
        handled_at: notStored("Wolverine does not write when it handled an envelope, only until when it keeps it."),
        attempts: stored(table.column("attempts")),
        last_error: notStored("Only a dead letter has the error that it failed with."),
        headers: notStored("They are a part of the binary body."),
        keep_until: stored(table.time("keep_until")),
      },
      states: [
        { state: "done", when: `${status} = 'Handled'`, says: "Handled, and kept for a while to know it again." },
        {
          state: "retrying",
          when: `${status} in ('Scheduled', 'Incoming') and ${owner(table)} = 0 and ${table.column("attempts")} > 0`,
          says: "Failed before, and tried again.",
        },
        { state: "scheduled", when: `${status} = 'Scheduled'`, says: "Handled at its execution time." },
        {
          state: "in_progress",
          when: `${status} = 'Incoming' and ${owner(table)} <> 0`,
          says: "A node has it, and handles it or holds it in memory.",
        },
        { state: "waiting", when: `${status} = 'Incoming'`, says: "Free for any node." },
      ],
      order: order(table),
    },
  ];
}

function deadLetters(table: Table): readonly ViewPart<"dead">[] {
  const replayable = table.column("replayable");
  return [
    {
      from: table.sql,
      columns: {
        ...common(table, "dead"),
        origin: derived("'incoming'", "A dead letter is a message that a handler failed on."),
        raw_state: derived(`case when ${replayable} then 'replayable' else 'dead' end`, "The column replayable."),
        first_seen_at: derived(table.time("sent_at"), "When the message was sent, by the clock of its sender."),
        dead_at: notStored("Wolverine does not write when it gave up."),
        attempts: notStored("Wolverine does not keep how often a dead letter was tried."),
        error_type: stored(table.column("exception_type")),
        error_message: derived(
          `left(${table.column("exception_message")}, ${String(MAX_MESSAGE_CHARACTERS)})`,
          "The beginning of exception_message.",
        ),
        error_trace: notStored("Wolverine keeps the message of an exception, and not its trace."),
        replay_requested: stored(replayable),
        expires_at: table.has("expires")
          ? stored(table.time("expires"))
          : notStored("Dead letters of this application do not expire."),
      },
      states: [
        { state: "replay_requested", when: replayable, says: "Wolverine's agent moves it back to the incoming ones." },
        { state: "dead", when: `not ${replayable}`, says: "Failed, and left until somebody replays or discards it." },
      ],
      order: order(table),
    },
  ];
}

/** One of it, and not on its way back: with some settings an id is unique only together with its listener. */
function isDeadLetter(table: Table): string {
  const id = table.column("id");
  return `row_of.${id} = row_key::uuid and not row_of.${table.column("replayable")}
    and (select count(*) from ${table.sql} as same where same.${id} = row_key::uuid) = 1`;
}

/** Wolverine moves all that is replayable in one statement: one id that is incoming already would keep every other from being moved. */
function wolverineRequeue(dead: Table, into: Table): ActionPart {
  const [id, replayable] = [dead.column("id"), dead.column("replayable")];
  const guard = `${isDeadLetter(dead)}
    and not exists (select 1 from ${into.sql} as again where again.${into.column("id")} = row_key::uuid)`;
  return {
    prefix: "dead",
    key: "uuid",
    sql: `with taken as (
  select row_of.${id} as taken_id from ${dead.sql} as row_of where ${guard} for update skip locked
)
update ${dead.sql} as row_of set ${replayable} = true
from taken where row_of.${id} = taken.taken_id and ${guard}
returning 'dead', 'replay_requested'`,
  };
}

function wolverineDiscard(dead: Table): ActionPart {
  const id = dead.column("id");
  return {
    prefix: "dead",
    key: "uuid",
    sql: `with taken as (
  select row_of.${id} as taken_id from ${dead.sql} as row_of where ${isDeadLetter(dead)} for update skip locked
)
delete from ${dead.sql} as row_of using taken where row_of.${id} = taken.taken_id and ${isDeadLetter(dead)}
returning 'dead', 'gone'`,
  };
}

export const wolverine = definePreset<"incoming" | "outgoing" | "dead">({
  id: "wolverine",
  title: "Wolverine",
  versions: "WolverineFx.Postgresql 5 to 6",
  revision: 1,
  schema: "wolverine",
  tables: { incoming: INCOMING, outgoing: OUTGOING, dead: DEAD },
  constants: {},
  notes: [
    "owner_id 0 means any node. An envelope whose node is gone is given back by Wolverine itself, so nothing here changes an owner.",
    "An incoming envelope that was handled stays for a few minutes, and is what Wolverine knows a repeated message by. While it is there a dead letter of the same id cannot be replayed: try again when it is gone.",
    "Lists are in the order of ids, which is not always the order of time: Wolverine writes no time of arrival unless it is told to, and never when a message died.",
    "Where an id is unique only together with its listener, two dead letters may share it; such a pair can be replayed and discarded by Wolverine alone.",
  ],
  shape: ({ tables: { incoming: into, outgoing: out, dead } }) => ({
    views: { outgoing: outgoing(out), incoming: incoming(into), dead: deadLetters(dead) },
    payload: [[out, "out"] as const, [into, "in"] as const, [dead, "dead"] as const].map(([table, prefix]) => ({
      prefix,
      key: "uuid" as const,
      sql: `select 'binary', ${table.column("body")} from ${table.sql} where ${table.column("id")} = row_key::uuid limit 1`,
    })),
    actions: { requeue: [wolverineRequeue(dead, into)], discard: [wolverineDiscard(dead)] },
    unsafe: {
      purge:
        "Wolverine itself deletes what was sent and what was handled. What stays are dead letters, and those are deleted one by one, by somebody who looked at them.",
    },
    caveats: {
      requeue:
        "It marks the dead letter as replayable; Wolverine's agent moves it back to the incoming ones within seconds, while a node of the application runs.",
    },
    indexes: [],
  }),
});
