import type { Constant, PayloadPart, Preset, StateRule, WantedIndex } from "../contract/preset";
import { definePreset, MAPPED_REVISION } from "../contract/preset";
import { isOfFamily, quoteName, type Family, type FoundTable, type Table, RESERVED_COLUMNS } from "../contract/tables";
import { actionsOf, rowKeyOf } from "./actions";
import { deadColumns, incomingColumns, outgoingColumns, payloadCodec } from "./columns";
import { columnsOfMap, isEnum, messageMap, type MessageMap } from "./message-map";
import { predicatesOf, type MappedTable, type MessagePredicates } from "./predicates";

const MAX_INDEX_NAME = 63;
const FAMILIES: readonly Family[] = ["integer", "time", "boolean", "bytes", "json", "text", "array"];

/** The family a column has to keep; a column of any other type may become anything. */
const familyOf = (type: string): Family =>
  type === "uuid"
    ? "uuid"
    : (FAMILIES.find((family) => isOfFamily(type, family) && type !== "bytea") ?? (type === "bytea" ? "bytes" : "any"));

/**
 * A preset of one table that a team made itself.
 *
 * @throws Error in one sentence for a map that names columns that are not there or cannot be what it says
 */
export function mappedMessagesPreset(given: MessageMap, found: FoundTable): Preset {
  const map = messageMap.parse(given);
  const reserved = found.columns.find(({ name }) => RESERVED_COLUMNS.has(name));
  if (reserved !== undefined)
    throw new Error(
      `${found.schema}.${found.name} has a column ${reserved.name}, a name that the installed functions use.`,
    );
  const types = columnsOfMap(map, found);
  const columns = [...new Map([...types.values()].map((column) => [column.name, column])).values()];
  const isZoned = columns.every(({ type }) => !type.endsWith("without time zone"));
  const maximum =
    map.max_attempts !== undefined && "constant" in map.max_attempts ? map.max_attempts.constant : undefined;
  return definePreset<"messages", string>({
    id: "mapped-messages",
    title: map.kind === "outbox" ? "an outbox of your own" : "an inbox of your own",
    versions: `${found.schema}.${found.name} as it was mapped`,
    revision: MAPPED_REVISION,
    schema: found.schema,
    tables: {
      messages: {
        name: found.name,
        needs: Object.fromEntries(columns.map(({ name, type }) => [name, familyOf(type)])),
      },
    },
    constants: constantsOf(isZoned, maximum),
    notes: notesOf(map),
    shape: ({ tables: { messages }, constants }) => {
      const mapped = mappedTable(map, messages, types, constants);
      const is = predicatesOf(mapped);
      return {
        views: {
          ...(map.kind === "outbox"
            ? { outgoing: [outgoingPart(mapped, is)] }
            : { incoming: [incomingPart(mapped, is)] }),
          ...(is.dead === undefined ? {} : { dead: [deadPart(mapped, is.dead)] }),
        },
        payload: payloadOf(mapped),
        ...actionsOf(mapped, is),
        indexes: is.dead === undefined ? [] : deadIndex(mapped, is.dead, found.name),
      };
    },
  });
}

function mappedTable(
  map: MessageMap,
  table: Table,
  types: MappedTable["types"],
  constants: Readonly<Record<string, string>>,
): MappedTable {
  const column: MappedTable["column"] = (role) => {
    const name = types.get(role)?.name;
    return name === undefined ? undefined : table.column(name);
  };
  const zone = constants["time_zone"] ?? "'UTC'";
  return {
    map,
    table,
    types,
    zone,
    column,
    time: (role) => {
      const name = types.get(role)?.name;
      return name === undefined ? undefined : table.time(name, zone);
    },
    maximum: constants["max_attempts"] ?? column("max_attempts"),
  };
}

function constantsOf(isZoned: boolean, maximum: number | undefined): Readonly<Record<string, Constant>> {
  return {
    ...(isZoned
      ? {}
      : { time_zone: { kind: "zone", says: "The time zone of the times without one that the application writes." } }),
    ...(maximum === undefined
      ? {}
      : {
          max_attempts: {
            kind: "integer",
            default: String(maximum),
            says: "How often the application tries a message before it gives up.",
          },
        }),
  };
}

function notesOf(map: MessageMap): readonly string[] {
  const isTold = map.status !== undefined || map.sent_at !== undefined || map.sent_flag !== undefined;
  return [
    "What is shown is what the map says: a column that was mapped wrongly shows wrong states.",
    ...(isTold || (map.kind === "inbox" && map.payload === undefined)
      ? []
      : ["This table has neither a time nor a status of sending: sent rows cannot be told from waiting ones."]),
    ...(map.status === undefined && map.max_attempts === undefined
      ? ["Which messages were given up cannot be told: look at the age of the oldest waiting one."]
      : []),
    ...((map.locked_by ?? map.locked_at ?? map.locked_until) === undefined
      ? ["No lock is mapped: a message that is being sent looks like one that waits."]
      : []),
    ...(map.kind === "inbox"
      ? ["Deleting a row of an inbox forgets that its message was received: delivered again, it is handled again."]
      : []),
    "The list is in the order of the key; where keys are random it says nothing about age.",
  ];
}

function statesOf<Done extends "sent" | "done">(is: MessagePredicates, done: Done) {
  type State = Done | "dead" | "in_progress" | "retrying" | "scheduled" | "waiting" | "unknown";
  const rule = (state: State, when: string | undefined, says: string) =>
    when === undefined ? [] : [{ state, when, says }];
  const rules = [
    ...rule(done, is.sent, "Its status, its time or its mark says that it is done."),
    ...rule("dead", is.dead, "Given up: its status says so, or it was tried as often as it may be."),
    ...rule("in_progress", is.inProgress, "Somebody works on it: its status or its lock says so."),
    ...rule("retrying", is.retrying, "Failed before, and tried again."),
    ...rule("scheduled", is.scheduled, "Due later."),
    ...rule("waiting", is.waiting, "Not sent or handled yet."),
  ];
  return rules.length > 0
    ? rules
    : rule(
        "unknown",
        "true",
        "The table has neither a time nor a status of sending: a sent row cannot be told from a waiting one.",
      );
}

/** The key stands last; that of a key of two columns is unique with the other one only. */
function orderOf({ column, types }: MappedTable) {
  const id = { sql: column("id") ?? "", type: types.get("id")?.type ?? "text" };
  const within = column("id_within");
  return within === undefined
    ? ([id] as const)
    : ([{ sql: within, type: types.get("id_within")?.type ?? "text" }, id] as const);
}

const outgoingPart = (mapped: MappedTable, is: MessagePredicates) => ({
  from: mapped.table.sql,
  columns: outgoingColumns(mapped),
  states: statesOf(is, "sent"),
  order: orderOf(mapped),
});

const incomingPart = (mapped: MappedTable, is: MessagePredicates) => ({
  from: mapped.table.sql,
  columns: incomingColumns(mapped),
  states: statesOf(is, "done"),
  order: orderOf(mapped),
});

function deadPart(mapped: MappedTable, dead: string) {
  const states: readonly StateRule<"dead">[] = [
    { state: "dead", when: "true", says: "Given up: its status says so, or it was tried as often as it may be." },
  ];
  return { from: mapped.table.sql, where: dead, columns: deadColumns(mapped), states, order: orderOf(mapped) };
}

function payloadOf(mapped: MappedTable): readonly PayloadPart[] {
  const payload = mapped.column("payload");
  if (payload === undefined || mapped.map.id_within !== undefined) return [];
  const { prefix, key, cast } = rowKeyOf(mapped);
  const codec = payloadCodec(mapped);
  const body = codec === "binary" ? payload : `convert_to(${payload}::text, 'UTF8')`;
  return [
    {
      prefix,
      key,
      sql: `select '${codec}', ${body} from ${mapped.table.sql} where ${mapped.column("id") ?? ""} = ${cast}`,
    },
  ];
}

/** The text of an enum may change its spelling, so PostgreSQL takes it into no index. */
function deadIndex({ column, table, types }: MappedTable, dead: string, name: string): readonly WantedIndex[] {
  if (isEnum(types.get("status")?.type ?? "text")) return [];
  const index = quoteName(`onceboard_dead_${name}`.slice(0, MAX_INDEX_NAME));
  return [
    {
      says: "Dead messages by key: without it a list of the dead reads the whole table.",
      sql: `create index concurrently if not exists ${index} on ${table.sql} (${column("id") ?? ""}) where ${dead}`,
    },
  ];
}
