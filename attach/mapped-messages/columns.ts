import { derived, notStored, stored, type ColumnSource } from "../contract/preset";
import { isOfFamily, quoteText } from "../contract/tables";
import { rowKeyOf } from "./actions";
import type { MessageRole } from "./message-map";
import type { MappedTable } from "./predicates";

const MAX_TEXT_CHARACTERS = 16_384;

const WHAT: Readonly<Record<MessageRole, string>> = {
  id: "the key of a row",
  id_within: "the second key of a row",
  message_id: "the id of a message",
  type: "the type of a message",
  destination: "where a message goes",
  consumer: "who handles a message",
  order_key: "what keeps messages in order",
  tenant: "the tenant",
  created_at: "when a message was written",
  available_at: "when a message is due",
  sent_at: "when a message was sent or handled",
  sent_flag: "whether a message was sent or handled",
  status: "a status",
  attempts: "how often a message was tried",
  max_attempts: "how often a message may be tried",
  last_error: "why a message failed",
  payload: "a payload",
  headers: "headers",
  locked_by: "who works on a message",
  locked_at: "since when somebody works on a message",
  locked_until: "until when somebody works on a message",
};

const noColumn = (role: MessageRole): ColumnSource => notStored(`No column was mapped to ${WHAT[role]}.`);

/** A mapped column as it is, or the sentence that there is none. */
function plain({ column, types }: MappedTable, role: MessageRole): ColumnSource {
  const name = column(role);
  if (name === undefined) return noColumn(role);
  const isLong = role === "headers" || role === "last_error" || (types.get(role)?.type ?? "").startsWith("json");
  if (!isLong) return stored(name);
  return derived(
    `left(${name}::text, ${String(MAX_TEXT_CHARACTERS)})`,
    `The start of the column ${nameOf(types, role)}.`,
  );
}

const nameOf = (types: MappedTable["types"], role: MessageRole): string => types.get(role)?.name ?? role;

function time({ time: timeOf, types }: MappedTable, role: MessageRole): ColumnSource {
  const sql = timeOf(role);
  if (sql === undefined) return noColumn(role);
  return types.get(role)?.type.endsWith("without time zone") === true
    ? derived(sql, `The column ${nameOf(types, role)}, read in the zone that was given.`)
    : stored(sql);
}

/** How the payload of a row is read, by the type of its column. */
export function payloadCodec({ types }: MappedTable): "json" | "binary" | "text" {
  const type = types.get("payload")?.type ?? "text";
  if (isOfFamily(type, "bytes")) return "binary";
  return type.startsWith("json") ? "json" : "text";
}

export function commonColumns(mapped: MappedTable) {
  const { map, column, maximum } = mapped;
  const { prefix } = rowKeyOf(mapped);
  const id = `'${prefix}:' || ${column("id") ?? ""}`;
  return {
    id:
      map.id_within === undefined
        ? stored(id)
        : derived(id, `The column ${map.id}; the same id may stand there once per ${map.id_within}.`),
    message_id: plain(mapped, "message_id"),
    type: plain(mapped, "type"),
    order_key: plain(mapped, "order_key"),
    tenant_ref: plain(mapped, "tenant"),
    raw_state: plain(mapped, "status"),
    attempts: plain(mapped, "attempts"),
    last_error: plain(mapped, "last_error"),
    payload_codec:
      map.payload === undefined
        ? noColumn("payload")
        : derived(quoteText(payloadCodec(mapped)), "By the type of the column of the payload."),
    headers: plain(mapped, "headers"),
    created_at: time(mapped, "created_at"),
    sent_at: time(mapped, "sent_at"),
    max_attempts: maximumOf(mapped, maximum),
  };
}

function maximumOf(mapped: MappedTable, maximum: string | undefined): ColumnSource {
  if (maximum === undefined) return noColumn("max_attempts");
  return mapped.column("max_attempts") === undefined
    ? derived(maximum, "Given when the table was mapped.")
    : stored(maximum);
}

export function outgoingColumns(mapped: MappedTable) {
  const { created_at, sent_at, max_attempts, ...common } = commonColumns(mapped);
  return {
    ...common,
    created_at,
    sent_at,
    max_attempts,
    destination: plain(mapped, "destination"),
    available_at: time(mapped, "available_at"),
    locked_by: plain(mapped, "locked_by"),
    locked_until:
      mapped.map.locked_until === undefined && mapped.map.locked_at !== undefined
        ? notStored(`The column ${mapped.map.locked_at} says since when a message is taken, and nothing until when.`)
        : time(mapped, "locked_until"),
    expires_at: notStored("A map has no column for when a message expires."),
  };
}

export function incomingColumns(mapped: MappedTable) {
  const { created_at, sent_at, max_attempts: _, ...common } = commonColumns(mapped);
  return {
    ...common,
    consumer: plain(mapped, "consumer"),
    received_at: created_at,
    handled_at: sent_at,
    keep_until: notStored("A map has no column for how long a message is kept."),
  };
}

export function deadColumns(mapped: MappedTable) {
  const { id, type, order_key, tenant_ref, raw_state, attempts, last_error, payload_codec, created_at } =
    commonColumns(mapped);
  return {
    ...{ id, type, order_key, tenant_ref, raw_state, attempts, payload_codec },
    origin: stored(mapped.map.kind === "outbox" ? "'outgoing'" : "'incoming'"),
    first_seen_at: created_at,
    dead_at: notStored("A map has no column for when a message was given up."),
    error_type: notStored("A map has one column for an error: its message."),
    error_message: last_error,
    error_trace: notStored("A map has one column for an error: its message."),
    replay_requested: notStored("A map has no column for a wish to send again."),
    expires_at: notStored("A map has no column for when a message expires."),
  };
}
