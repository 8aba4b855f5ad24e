/** Wolverine's tables of messages as it makes them with its defaults. */
export const WOLVERINE_TABLES = `
create schema wolverine;
create table wolverine.wolverine_incoming_envelopes (
  id uuid primary key, status varchar not null, owner_id integer not null, execution_time timestamptz, attempts integer default 0,
  body bytea not null, message_type varchar not null, received_at varchar, keep_until timestamptz);
create table wolverine.wolverine_outgoing_envelopes (
  id uuid primary key, owner_id integer not null, destination varchar not null, deliver_by timestamptz, body bytea not null,
  attempts integer default 0, message_type varchar not null);
create table wolverine.wolverine_dead_letters (
  id uuid primary key, execution_time timestamptz, body bytea not null, message_type varchar not null, received_at varchar,
  source varchar, exception_type varchar, exception_message varchar, sent_at timestamptz, replayable boolean);
create index on wolverine.wolverine_dead_letters (replayable) where replayable = true;`;

export const wolverineId = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;

/** `status`, node, attempts and minutes from now of the execution time. */
export const WOLVERINE_INCOMING = [
  { n: 1, state: "waiting", status: "Incoming", node: 0, attempts: 0 },
  { n: 2, state: "in_progress", status: "Incoming", node: 7, attempts: 0 },
  { n: 3, state: "in_progress", status: "Incoming", node: 7, attempts: 2 },
  { n: 4, state: "retrying", status: "Incoming", node: 0, attempts: 2 },
  { n: 5, state: "scheduled", status: "Scheduled", node: 0, attempts: 0 },
  { n: 6, state: "retrying", status: "Scheduled", node: 0, attempts: 1 },
  { n: 7, state: "done", status: "Handled", node: 0, attempts: 1 },
  { n: 8, state: "unknown", status: "Parked", node: 0, attempts: 0 },
] as const;

/** Node, attempts and the hours after which it is too late. */
export const WOLVERINE_OUTGOING = [
  { n: 21, state: "waiting", node: 0, attempts: 0, hours: null },
  { n: 22, state: "in_progress", node: 7, attempts: 0, hours: 2 },
  { n: 23, state: "retrying", node: 0, attempts: 3, hours: null },
  { n: 24, state: "expired", node: 7, attempts: 3, hours: -1 },
] as const;

/** The one that is 7 is still incoming, as handled. */
export const WOLVERINE_DEAD = [
  { n: 7, state: "dead", replayable: false },
  { n: 41, state: "dead", replayable: false },
  { n: 42, state: "dead", replayable: false },
  { n: 43, state: "replay_requested", replayable: true },
  { n: 44, state: "unknown", replayable: null },
] as const;

/** SQL that puts a row into each state. */
export function wolverineRows(): string {
  const id = (n: number): string => `'${wolverineId(n)}'`;
  const incoming = WOLVERINE_INCOMING.map(
    ({ n, status, node, attempts }) =>
      `(${id(n)}, '${status}', ${String(node)}, null, ${String(attempts)}, '\\x0100', 'Shop.OrderPaid', 'rabbitmq://queue/orders', ${status === "Handled" ? "now() + interval '5 minutes'" : "null"})`,
  );
  const outgoing = WOLVERINE_OUTGOING.map(
    ({ n, node, attempts, hours }) =>
      `(${id(n)}, ${String(node)}, 'rabbitmq://queue/mail', now() + ${String(hours)} * interval '1 hour', '\\x0200', ${String(attempts)}, 'Shop.Mail')`,
  );
  const dead = WOLVERINE_DEAD.map(
    ({ n, replayable }) =>
      `(${id(n)}, null, '\\x0300', 'Shop.OrderPaid', 'rabbitmq://queue/orders', 'shop', 'System.TimeoutException', 'too slow', '2026-03-01 12:00Z', ${String(replayable)})`,
  );
  return `insert into wolverine.wolverine_incoming_envelopes values ${incoming.join(", ")};
    insert into wolverine.wolverine_outgoing_envelopes values ${outgoing.join(", ")};
    insert into wolverine.wolverine_dead_letters values ${dead.join(", ")};`;
}

/** What Wolverine's agent does every few seconds: it moves all that is replayable, or, where one id is taken, nothing. */
export const WOLVERINE_MOVES_REPLAYABLE = `
with moved as (delete from wolverine.wolverine_dead_letters where replayable returning *)
insert into wolverine.wolverine_incoming_envelopes (id, status, owner_id, attempts, body, message_type, received_at)
select id, 'Incoming', 0, 0, body, message_type, received_at from moved`;
