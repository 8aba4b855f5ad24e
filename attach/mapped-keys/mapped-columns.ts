import {
  isOfFamily,
  quoteText,
  sameName,
  type Family,
  type FoundColumn,
  type FoundTable,
  type Table,
  RESERVED_COLUMNS,
} from "../contract/tables";
import { keyMapColumns, type KeyMap } from "./key-map";

const LAST_EPOCH_S = "99999999999";
const LAST_EPOCH_MS = "253370764800000";
const MAX_INTEGER = "2147483647";

/** The columns of a mapped table, put into SQL by what type they have. */
export interface MappedColumns {
  readonly typeOf: (name: string) => string;
  readonly sql: (name: string) => string;
  /** A column as text, whichever type it has. */
  readonly text: (name: string) => string;
  readonly time: (name: string) => string;
  /** A number that a list of integers holds, and null for one that it does not. */
  readonly integer: (name: string) => string;
}

/** @param zone a literal: what columns without a zone are in */
export function keyColumnsOf(found: FoundTable, table: Table, zone: string): MappedColumns {
  const typeOf = (name: string): string => columnOf(found, name)?.type ?? "";
  const sql = (name: string): string => table.column(name);
  return {
    typeOf,
    sql,
    text: (name) => (typeOf(name) === "bytea" ? `encode(${sql(name)}, 'hex')` : `${sql(name)}::text`),
    time: (name) => (isOfFamily(typeOf(name), "integer") ? epochOfAnySize(sql(name)) : table.time(name, zone)),
    integer: (name) => `case when ${sql(name)} between 0 and ${MAX_INTEGER} then ${sql(name)} end`,
  };
}

/** Tables count seconds or milliseconds since 1970; the size of a number tells which, and what is neither breaks no list. */
const epochOfAnySize = (column: string): string =>
  `case when ${column} between 0 and ${LAST_EPOCH_S} then to_timestamp(${column}::double precision) ` +
  `when ${column}::bigint between ${LAST_EPOCH_S} and ${LAST_EPOCH_MS} then to_timestamp(${column} / 1000.0) end`;

function columnOf(found: FoundTable, name: string): FoundColumn | undefined {
  return found.columns.find((column) => sameName(column.name) === sameName(name));
}

/** The family that a preset needs a column to have: the one it has now. */
export function familyOf(type: string): Family {
  const families = ["integer", "time", "boolean", "bytes", "array"] as const;
  const narrow = families.find((family) => isOfFamily(type, family));
  if (narrow !== undefined) return narrow;
  if (type === "uuid" || /^jsonb?$/.test(type)) return type === "uuid" ? "uuid" : "json";
  return isOfFamily(type, "text") ? "text" : "any";
}

/** Columns that are read as times, and as numbers. */
const TIMES = ["created", "updated", "completed", "lockedAt", "lockedUntil", "expires"] as const;
const NUMBERS = ["httpStatus", "attempts"] as const;

/** What keeps a map from being used on a table, in one sentence; nothing when it can be. */
export function keyMapProblem(map: KeyMap, found: FoundTable): string | undefined {
  const named = `${found.schema}.${found.name}`;
  const reserved = found.columns.find(({ name }) => RESERVED_COLUMNS.has(name));
  if (reserved !== undefined) return `${named} has a column ${reserved.name}, a name that the installed functions use.`;
  const missing = keyMapColumns(map).find((name) => found.columns.every((column) => column.name !== name));
  if (missing !== undefined) return `${named} has no column ${missing}.`;
  const twice = keyMapColumns(map).find(
    (name) => found.columns.filter((column) => sameName(column.name) === sameName(name)).length > 1,
  );
  if (twice !== undefined) return `${named} has two columns that are called ${twice} but for case and underscores.`;
  const typeOf = (name: string): string => columnOf(found, name)?.type ?? "";
  const noTime = TIMES.map((name) => map[name]).find(
    (name) => name !== undefined && !isOfFamily(typeOf(name), "time") && !isOfFamily(typeOf(name), "integer"),
  );
  if (noTime !== undefined) return `${noTime} of ${named} is ${typeOf(noTime)}, and no time.`;
  const noNumber = NUMBERS.map((name) => map[name]).find(
    (name) => name !== undefined && !isOfFamily(typeOf(name), "integer"),
  );
  if (noNumber !== undefined) return `${noNumber} of ${named} is ${typeOf(noNumber)}, and no number.`;
  const noName = [map.key, ...map.id].find(
    (name) => !(["text", "integer", "uuid"] as const).some((family) => isOfFamily(typeOf(name), family)),
  );
  return noName === undefined ? undefined : `${noName} of ${named} is ${typeOf(noName)}, which names no row.`;
}

/** Whether times of a map are without a zone, which only the owner knows. */
export const needsZone = (map: KeyMap, found: FoundTable): boolean =>
  TIMES.some((name) => columnOf(found, map[name] ?? "")?.type.endsWith("without time zone") === true);

/**
 * What ids are made of. Of several columns the length of each stands before it: two rows never have one id, whatever is in them.
 */
export function mappedId({ id }: KeyMap, { typeOf, sql, text }: MappedColumns) {
  const [only, ...others] = id;
  if (only === undefined) throw new Error("A map names no row.");
  if (others.length > 0) {
    const last = id.at(-1) ?? only;
    const parts = id
      .slice(0, -1)
      .map((name) => `coalesce(length(${text(name)})::text, '-') || ':' || coalesce(${text(name)}, '')`);
    return { id: `(${parts.join(" || ")} || ${text(last)})`, key: "text", type: "text" } as const;
  }
  const type = typeOf(only);
  if (isOfFamily(type, "integer")) return { id: sql(only), key: "bigint", type } as const;
  if (type === "uuid") return { id: sql(only), key: "uuid", type } as const;
  return { id: sql(only), key: "text", type: type === "citext" ? type : "text" } as const;
}

/** A predicate over the status, in any case of letters. */
export const statusIs = (status: string, values: readonly string[]): string =>
  values.length === 0
    ? "false"
    : `lower(${status}) in (${values.map((value) => quoteText(value.toLowerCase())).join(", ")})`;
