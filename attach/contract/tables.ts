/**
 * Families of types: what a library of one language calls varchar(200) another calls text. `zoneless` is a time that the library
 * keeps without a zone; a database may have given it one all the same, and the other way round.
 */
export type Family =
  "text" | "integer" | "time" | "zoneless" | "boolean" | "json" | "uuid" | "bytes" | "array" | "enum" | "any";

/** The columns of a table by which it is known, and those that some versions have. */
export interface TableSpec {
  /** As the library names it unless it is told otherwise. */
  readonly name: string;
  readonly needs: Readonly<Record<string, Family>>;
  readonly may?: Readonly<Record<string, Family>>;
  /** Columns of another library or version: where one of them is, this table is not meant. */
  readonly not?: readonly string[];
  /** Whether the shape stands without this table. */
  readonly optional?: boolean;
}

/** A column as it is in the database. */
export interface FoundColumn {
  readonly name: string;
  /** As `format_type` says it. */
  readonly type: string;
}

/** A table as it is in the database, or as a library would make it. */
export interface FoundTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly FoundColumn[];
}

/** A table of a preset with its columns, ready to be put into SQL. */
export interface Table {
  /** Schema and name, quoted. */
  readonly sql: string;
  /** Its schema, quoted: where the library's own functions and the other tables of a join are. */
  readonly schema: string;
  /** @throws Error for a column that the preset does not name: a defect of the preset */
  readonly column: (name: string) => string;
  readonly has: (name: string) => boolean;
  /** The type of the column that is there, for what two versions keep in different types. */
  readonly type: (name: string) => string;
  /** The column as a time with zone: `zone`, a literal, is what a column without one is in. */
  readonly time: (name: string, zone?: string) => string;
}

export type Tables<Name extends string> = Readonly<Record<Name, Table>> & {
  /** Whether an optional table is there. */
  readonly there: (name: Name) => boolean;
};

/** Names that the installed functions use for themselves: a column of that name would be taken for them. */
export const RESERVED_COLUMNS: ReadonlySet<string> = new Set([
  "row_key",
  "wanted",
  "before",
  "most",
  "gone",
  "rows_left",
  "limit_rows",
]);

/** @returns a name as SQL wants it, whatever is in it */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** @returns a text as SQL wants it */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** ORMs rename: `StatusName`, `status_name` and `statusname` are one column. */
export const sameName = (name: string): string => name.replaceAll("_", "").toLowerCase();

const DEFAULT_TYPE: Readonly<Record<Family, string>> = {
  text: "text",
  integer: "bigint",
  time: "timestamp with time zone",
  zoneless: "timestamp without time zone",
  boolean: "boolean",
  json: "jsonb",
  uuid: "uuid",
  bytes: "bytea",
  array: "text[]",
  enum: "text",
  any: "text",
};

const FAMILY_TYPES: Readonly<Record<Exclude<Family, "any" | "enum">, RegExp>> = {
  text: /^(text|character varying|character|citext|name)(\(|$)/,
  integer: /^(smallint|integer|bigint)$/,
  zoneless: /^timestamp(\(\d\))? with(out)? time zone$/,
  time: /^timestamp(\(\d\))? with(out)? time zone$/,
  boolean: /^boolean$/,
  json: /^(json|jsonb|text|character varying|bytea)(\(|$)/,
  uuid: /^(uuid|text|character varying|character)(\(|$)/,
  bytes: /^(bytea|oid)$/,
  array: /\[\]$/,
};

/** @param type as `format_type` says it */
export function isOfFamily(type: string, family: Family): boolean {
  return family === "any" || family === "enum" || FAMILY_TYPES[family].test(type);
}

/** The table that a library makes with its defaults, for SQL that is printed without a database at hand. */
export function asTheLibraryMakesIt(schema: string, spec: TableSpec): FoundTable {
  const columns = Object.entries(spec.needs).map(([name, family]) => ({ name, type: DEFAULT_TYPE[family] }));
  return { schema, name: spec.name, columns };
}

/** The tables that a library makes with its defaults: those that it always has, or each where any may be missing. */
export function defaultTables(
  specs: Readonly<Record<string, TableSpec>>,
  schema: string,
): Readonly<Record<string, FoundTable>> {
  const always = Object.entries(specs).filter(([, spec]) => spec.optional !== true);
  return Object.fromEntries(
    (always.length > 0 ? always : Object.entries(specs)).map(([name, spec]) => [
      name,
      asTheLibraryMakesIt(schema, spec),
    ]),
  );
}

/**
 * The tables of a preset as its SQL names them.
 *
 * @param found each table that is there, by the preset's name of it
 */
export function resolveTables<Name extends string>(
  specs: Readonly<Record<Name, TableSpec>>,
  found: Readonly<Partial<Record<Name, FoundTable>>>,
): Tables<Name> {
  const tables = Object.fromEntries(
    Object.keys(specs).map((name) => [name, resolveTable(specs[name as Name], found[name as Name])]),
  ) as Record<Name, Table>;
  return { ...tables, there: (name: Name) => found[name] !== undefined };
}

function resolveTable(spec: TableSpec, found: FoundTable | undefined): Table {
  const known = new Set([...Object.keys(spec.needs), ...Object.keys(spec.may ?? {})]);
  const columnOf = (name: string): FoundColumn | undefined => {
    if (!known.has(name)) throw new Error(`The preset names no column ${name} of ${spec.name}.`);
    return found?.columns.find((column) => sameName(column.name) === sameName(name));
  };
  const column = (name: string): string => quoteName(columnOf(name)?.name ?? name);
  return {
    sql: found === undefined ? quoteName(spec.name) : `${quoteName(found.schema)}.${quoteName(found.name)}`,
    schema: quoteName(found?.schema ?? "public"),
    column,
    has: (name) => columnOf(name) !== undefined,
    type: (name) => columnOf(name)?.type ?? DEFAULT_TYPE[spec.needs[name] ?? spec.may?.[name] ?? "any"],
    time(name, zone = "'UTC'") {
      const type = columnOf(name)?.type ?? DEFAULT_TYPE[spec.needs[name] ?? spec.may?.[name] ?? "time"];
      return type.endsWith("without time zone") ? `(${column(name)} at time zone ${zone})` : column(name);
    },
  };
}
