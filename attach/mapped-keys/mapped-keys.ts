import {
  definePreset,
  MAPPED_REVISION,
  derived,
  notStored,
  stored,
  type ColumnSource,
  type Constant,
  type Preset,
} from "../contract/preset";
import { quoteName, type FoundTable, type Table } from "../contract/tables";
import {
  forgetKey,
  KEY_REQUEUE_UNSAFE,
  keyId,
  keyPayload,
  purgeKeys,
  unlockKey,
  type KeyRows,
} from "../presets/key-actions";
import { keyMapColumns, type KeyMap } from "./key-map";
import { keyColumnsOf, familyOf, keyMapProblem, mappedId, needsZone, type MappedColumns } from "./mapped-columns";
import { mappedStates, type MappedStates } from "./mapped-states";

const MAX_NAME = 63;

const STALE_AFTER: Constant = {
  kind: "interval",
  says: "How long a request may take at most: one that is in progress for longer counts as stale, and its key may be forgotten.",
};
const TIME_ZONE: Constant = {
  kind: "zone",
  says: "The time zone of the columns that are times without a zone; what writes them decides it, and it is often UTC.",
};

/**
 * The preset of one table that a team made by hand.
 *
 * @param found the table as it is now
 * @throws Error in one sentence for a map that does not fit the table
 */
export function mappedKeysPreset(map: KeyMap, found: FoundTable): Preset {
  const problem = keyMapProblem(map, found);
  if (problem !== undefined) throw new Error(problem);
  const hasLimit = map.inFlight !== "no_row" && (map.lockedAt ?? map.updated ?? map.created) !== undefined;
  const needs = keyMapColumns(map).map((name) => {
    const type = found.columns.find((column) => column.name === name)?.type ?? "";
    return [name, familyOf(type)] as const;
  });
  return definePreset<"keys", string>({
    id: "mapped-keys",
    title: `keys in ${found.name}`,
    versions: "as it was mapped",
    revision: MAPPED_REVISION,
    schema: found.schema,
    tables: { keys: { name: found.name, needs: Object.fromEntries(needs) } },
    constants: {
      ...(hasLimit ? { stale_after: STALE_AFTER } : {}),
      ...(needsZone(map, found) ? { time_zone: TIME_ZONE } : {}),
    },
    notes: notesOf(map),
    shape({ tables: { keys }, constants }) {
      const columns = keyColumnsOf(found, keys, constants["time_zone"] ?? "'UTC'");
      return shapeOf(map, found, keys, columns, mappedStates(map, columns, constants["stale_after"]));
    },
  });
}

function shapeOf(map: KeyMap, found: FoundTable, table: Table, columns: MappedColumns, states: MappedStates) {
  const { id, key, type } = mappedId(map, columns);
  const rows: KeyRows = { table: table.sql, id, key, states: states.rules };
  const listed = orderOf(map, columns);
  const last = { sql: id, type };
  // A key that names two rows after all is not forgotten: the one that was meant is not known.
  const isOne = `(select count(*) from (select from ${table.sql} where ${id} = row_key${key === "text" ? "" : `::${key}`} limit 2) as alike) = 1`;
  const forget = `(${states.mayForget}) and ${isOne}`;
  const expires = map.expires === undefined ? undefined : columns.time(map.expires);
  const { lockedAt } = map;
  const freeing =
    lockedAt === undefined || states.mayUnlock === undefined
      ? undefined
      : unlockKey(rows, `(${states.mayUnlock}) and ${isOne}`, `${columns.sql(lockedAt)} = null`, "in_progress");
  const index = (what: string, on: string) =>
    `create index concurrently if not exists ${quoteName(`onceboard_${what}_${found.name}`.slice(0, MAX_NAME))} on ${table.sql} (${on})`;
  return {
    views: {
      keys: [
        {
          from: table.sql,
          columns: viewColumns(map, columns, states, id),
          states: states.rules,
          order: listed === undefined ? ([last] as const) : ([listed, last] as const),
        },
      ],
    },
    payload: map.response === undefined ? [] : [keyPayload(rows, ...bodyOf(map.response, columns))],
    actions: {
      discard: [forgetKey(rows, forget)],
      ...(freeing === undefined ? {} : { requeue: [freeing] }),
      ...(expires === undefined
        ? {}
        : { purge: [purgeKeys(rows, `(${expires}) < least(before, now()) and (${states.mayForget})`)] }),
    },
    unsafe: {
      ...(freeing !== undefined
        ? {}
        : { requeue: map.lockedUntil === undefined ? KEY_REQUEUE_UNSAFE : ENDS_BY_ITSELF }),
      ...(expires === undefined ? { purge: "No column says when the time of a key is over." } : {}),
    },
    indexes: [
      ...(listed === undefined
        ? []
        : [
            {
              says: "Keys by age: without it a list sorts the whole table.",
              sql: index("list", `(${listed.sql}), (${id})`),
            },
          ]),
      ...(map.id.length < 2
        ? []
        : [{ says: "One key by its id: without it each look reads the whole table.", sql: index("key", `(${id})`) }]),
    ],
  };
}

const ENDS_BY_ITSELF =
  "A lock with an end needs no freeing: when its end is past, the next request takes the key over. Nothing but a request of its client runs it.";

/** Numbers of rows are given in the order of time; any other name of a row needs the time before it. */
function orderOf(map: KeyMap, columns: MappedColumns) {
  const { created } = map;
  if (created === undefined || mappedId(map, columns).key === "bigint") return undefined;
  const type = columns.typeOf(created).replace(/\(\d\)/, "");
  const least = type.startsWith("timestamp") ? `'-infinity'::${type}` : "0";
  return { sql: `coalesce(${columns.sql(created)}, ${least})`, type };
}

function bodyOf(response: string, columns: MappedColumns): readonly [string, string] {
  const type = columns.typeOf(response);
  if (type === "bytea") return ["binary", columns.sql(response)];
  return [/^jsonb?$/.test(type) ? "json" : "text", `convert_to(${columns.text(response)}, 'UTF8')`];
}

type Value = (name: string) => string;

const orNotStored = (name: string | undefined, value: Value, reason: string): ColumnSource =>
  name === undefined ? notStored(reason) : stored(value(name));

function viewColumns(map: KeyMap, columns: MappedColumns, states: MappedStates, id: string) {
  const { text, time, integer } = columns;
  const { response } = map;
  return {
    id:
      map.id.length < 2
        ? stored(keyId(id))
        : derived(keyId(id), `Made of ${map.id.join(", ")}, the length of each before it.`),
    tenant_ref: orNotStored(map.tenant, text, "No column says whose key it is."),
    scope:
      map.scope.length < 2
        ? orNotStored(map.scope[0], text, "No column says what the request was for.")
        : derived(`concat_ws(' ', ${map.scope.map(text).join(", ")})`, `Put together of ${map.scope.join(" and ")}.`),
    key: stored(text(map.key)),
    key_is_hashed: derived(
      String(map.keyIsHashed),
      map.keyIsHashed ? "The column is said to hold a hash." : "The column is said to hold the key as it was sent.",
    ),
    fingerprint: orNotStored(
      map.fingerprint,
      text,
      "No column holds a hash of the request: the same key with another request is not noticed here.",
    ),
    raw_state: orNotStored(map.status, text, "No column holds a state."),
    http_status: orNotStored(map.httpStatus, integer, "No column holds the status of the response."),
    has_response:
      response === undefined
        ? notStored("No column holds the response.")
        : derived(`${columns.sql(response)} is not null`, `Whether ${response} has a value.`),
    response_codec:
      response === undefined
        ? notStored("No column holds the response.")
        : derived(`'${bodyOf(response, columns)[0]}'`, `From the type of ${response}.`),
    created_at: orNotStored(map.created, time, "No column says when the key was first used."),
    updated_at: orNotStored(map.updated, time, "No column says when the row changed."),
    completed_at: orNotStored(map.completed, time, "No column says when the request was done."),
    locked_by: orNotStored(map.lockedBy, text, "No column says which process works on a request."),
    locked_until: states.lockedUntil,
    expires_at: orNotStored(map.expires, time, "No column says when the time of a key is over."),
    attempts: orNotStored(map.attempts, integer, "No column counts attempts."),
  };
}

const IN_FLIGHT_NOTES: Readonly<Record<KeyMap["inFlight"], string>> = {
  status: "What a status means was said when the table was mapped; a value that nobody named is shown as unknown.",
  no_response:
    "No column holds a state: a request without a response is taken to be in progress, and so is one that died or failed.",
  no_row:
    "A row is there when the request is done. Work in flight leaves no row, so nothing here tells whether a request runs, hangs or died.",
};

function notesOf(map: KeyMap): readonly string[] {
  return [
    IN_FLIGHT_NOTES[map.inFlight],
    "Forgetting a key deletes its row: the next retry executes again. A key in progress is only forgotten when it is in progress for too long.",
    ...(map.reference === undefined
      ? []
      : [
          `${map.reference} names what the request made; it stays when a key is forgotten, and the next retry makes another one.`,
        ]),
    ...(map.lockedAt === undefined
      ? []
      : [
          `Requeueing here frees a lock that a dead process left behind, by setting ${map.lockedAt} to null; it runs nothing, and the next request of the client takes the key.`,
        ]),
  ];
}
