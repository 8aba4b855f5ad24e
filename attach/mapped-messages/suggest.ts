import { sameName, type FoundColumn, type FoundTable } from "../contract/tables";
import {
  INBOX_TABLE,
  KEY_NAMES,
  KEY_TABLE_NAMES,
  OUTBOX_TABLE,
  ROLE_NAMES,
  STATUS_WORDS,
  TOPIC_TABLE,
} from "./column-names";
import { fitsRole, messageMap, type MessageMap, type MessageRole } from "./message-map";

/** A guess that a person looks at before it is used. */
export interface MessageMapSuggestion {
  readonly map: MessageMap;
  /** What it was guessed from, in one or two sentences. */
  readonly because: string;
}

type Found = ReadonlyMap<MessageRole, FoundColumn>;

/** A mark that a message was handled has few columns, and no payload. */
const MOST_COLUMNS_OF_A_MARK = 5;
const SHOWN_IN_REASON: readonly MessageRole[] = [
  "payload",
  "message_id",
  "consumer",
  "type",
  "destination",
  "order_key",
  "sent_at",
  "sent_flag",
  "status",
  "available_at",
  "attempts",
];

/**
 * Whether a table is an outbox or an inbox that a team made itself, and which column is what.
 *
 * @param seen values of its status column, when somebody looked: only they say how a status is spelled
 * @returns nothing when it looks like neither
 */
export function suggestMessageMap(table: FoundTable, seen: readonly string[] = []): MessageMapSuggestion | undefined {
  const names = new Set(table.columns.map(({ name }) => sameName(name)));
  if (KEY_TABLE_NAMES.some((name) => names.has(sameName(name)))) return undefined;
  const found = rolesOf(table);
  const key = pick(table, "id", KEY_NAMES);
  if (key === undefined) return undefined;
  const kind = kindOf(table, found);
  if (kind === undefined) return undefined;
  const columns = new Map(found);
  if (kind === "outbox") columns.delete("consumer");
  const consumer = found.get("consumer");
  const isShared = kind === "inbox" && consumer !== undefined && !names.has("id");
  if (columns.get("message_id") === undefined && sameName(key.name) !== "id") columns.set("message_id", key);
  const map = messageMap.parse({
    kind,
    id: key.name,
    ...(isShared ? { id_within: consumer.name } : {}),
    ...Object.fromEntries(
      [...columns].filter(([role]) => !OWN_SHAPE.has(role)).map(([role, { name }]) => [role, name]),
    ),
    ...statusOf(columns.get("status"), seen),
    ...maximumOf(columns.get("max_attempts")),
  });
  return { map, because: reasonOf(table, map, columns, seen) };
}

const OWN_SHAPE: ReadonlySet<MessageRole> = new Set(["status", "max_attempts"]);

function rolesOf(table: FoundTable): Found {
  const found = new Map<MessageRole, FoundColumn>();
  for (const [role, names] of Object.entries(ROLE_NAMES) as [MessageRole, readonly string[]][]) {
    const column = pick(table, role, names);
    if (column !== undefined) found.set(role, column);
  }
  return found;
}

function pick(table: FoundTable, role: MessageRole, names: readonly string[]): FoundColumn | undefined {
  for (const name of names) {
    const column = table.columns.find((each) => sameName(each.name) === sameName(name) && fitsRole(role, each.type));
    if (column !== undefined) return column;
  }
  return undefined;
}

/** Names of tables decide only between two; what a table is, its columns say. */
function kindOf(table: FoundTable, found: Found): MessageMap["kind"] | undefined {
  const has = (...roles: MessageRole[]): boolean => roles.some((role) => found.has(role));
  const name = sameName(table.name);
  const tracked = has("sent_at", "sent_flag", "status");
  const isMark =
    !has("payload") &&
    has("message_id") &&
    has("sent_at", "created_at") &&
    table.columns.length <= MOST_COLUMNS_OF_A_MARK;
  const received = table.columns.some((column) => sameName(column.name) === "receivedat");
  const isInbox = isMark
    ? has("consumer") || found.get("sent_at") !== undefined || INBOX_TABLE.test(name)
    : has("message_id") && (received || INBOX_TABLE.test(name)) && (has("consumer") || tracked);
  if (isInbox && !OUTBOX_TABLE.test(name)) return "inbox";
  const routed = has("type", "destination", "order_key");
  const isOutbox =
    has("payload") &&
    (TOPIC_TABLE.test(name) ||
      (routed &&
        (OUTBOX_TABLE.test(name) || (tracked && has("order_key", "destination", "attempts", "available_at")))));
  if (!isOutbox) return undefined;
  return INBOX_TABLE.test(name) && !OUTBOX_TABLE.test(name) ? "inbox" : "outbox";
}

function statusOf(column: FoundColumn | undefined, seen: readonly string[]): { status?: unknown } {
  if (column === undefined) return {};
  const groups = Object.entries(STATUS_WORDS).map(([state, words]) => {
    const known = seen.filter((value) =>
      (words as readonly string[]).some((word) => sameName(word) === sameName(value)),
    );
    return [state, seen.length > 0 ? known : [...words]] as const;
  });
  const waiting = seen.find((value) => STATUS_WORDS.waiting.some((word) => sameName(word) === sameName(value)));
  return {
    status: {
      column: column.name,
      ...Object.fromEntries(groups),
      ...(waiting === undefined ? {} : { requeue_as: waiting }),
    },
  };
}

const maximumOf = (column: FoundColumn | undefined): { max_attempts?: unknown } =>
  column === undefined ? {} : { max_attempts: { column: column.name } };

function reasonOf(table: FoundTable, map: MessageMap, found: Found, seen: readonly string[]): string {
  const names = [...new Set(SHOWN_IN_REASON.flatMap((role) => found.get(role)?.name ?? []))];
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}` : names.join("");
  const is = map.kind === "outbox" ? "an outbox" : "an inbox";
  const sentences = [`${table.schema}.${table.name} has ${listed}, as ${is} has.`];
  if (map.id_within !== undefined)
    sentences.push(`It has no column id, so ${map.id} and ${map.id_within} together are taken for its key.`);
  if (map.status !== undefined && seen.length === 0)
    sentences.push(`Which values ${map.status.column} takes was guessed; the one to requeue with has to be given.`);
  return sentences.join(" ");
}
