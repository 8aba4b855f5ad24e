import { eq, is, sql, SQL, type SQLWrapper, type WithSubquery } from "drizzle-orm";
import { PgColumn, PgDialect, QueryBuilder, type PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";

const dialect = new PgDialect();
/** Drizzle's own, for selects that others read from: their columns keep their names. {@link select} names the rows of an answer. */
export const builder = new QueryBuilder();

type Fields = Readonly<Record<string, PgColumn | SQL | SQL.Aliased>>;
/** Built with {@link select}; its rows are typed by its fields. */
type Select<Row> = SQLWrapper & { readonly _: { readonly result: Row[] } };
/** What a read answers a row of. */
export type RowOf<Read extends (...args: never[]) => Promise<unknown>> =
  Awaited<ReturnType<Read>> extends readonly (infer Row)[] ? Row : NonNullable<Awaited<ReturnType<Read>>>;

/** A select whose rows carry the names of its fields, as PostgreSQL's driver reads them. */
export function select<F extends Fields>(fields: F) {
  const named = Object.entries(fields).map(([name, field]) => [name, namedField(name, field)] as const);
  return builder.select(Object.fromEntries(named) as F);
}

function namedField(name: string, field: Fields[string]): Fields[string] {
  if (is(field, SQL)) return fixed(field).as(name);
  return is(field, PgColumn) && field.name !== name ? sql`${field}`.as(name) : field;
}

const fixedTexts = new WeakMap<SQL, SQL>();

/**
 * The same expression, its text made once: to walk its parts again costs more than all else that a statement is built of. It keeps the
 * tables of its columns, which drizzle would take off in a select from one table: wrong inside a subquery.
 */
export function fixed<T>(expression: SQL<T>): SQL<T> {
  const known = fixedTexts.get(expression);
  if (known !== undefined) return known as SQL<T>;
  const { sql: text, params } = dialect.sqlToQuery(expression);
  const made = params.length > 0 ? sql<T>`${expression}` : sql.raw(text);
  fixedTexts.set(expression, made);
  return made as SQL<T>;
}

/** All columns of a table under their own names, for those who read from the select by the table's own columns. */
export function allColumns(table: PgTable) {
  return { whole: sql`${table}.*` };
}

/** @param name of the prepared statement, for a text that is the same every time */
export async function rowsOf<Row>(q: Queryable, query: Select<Row> | SQL<Row>, name?: string): Promise<Row[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(query.getSQL());
  const { rows } = await q.query<Row>({ text, values, ...(name !== undefined && { name }) });
  return rows;
}

/** Rows of a select from what PostgreSQL reads whole before, which drizzle's `with` cannot ask for. */
export function rowsOver<Row>(q: Queryable, first: WithSubquery, query: Select<Row>): Promise<Row[]> {
  const name = sql.identifier(first._.alias);
  return rowsOf(q, sql<Row>`with ${name} as materialized (${first._.sql}) ${query.getSQL()}`);
}

type TimeText<Time> = Time extends PgColumn ? (Time["_"]["notNull"] extends true ? string : string | null) : string;

/** A time as text with microseconds: a Date keeps milliseconds only, and a cursor needs all of it. */
export function timeText<Time extends PgColumn>(time: Time): SQL<TimeText<Time>>;
export function timeText(time: SQL): SQL<string>;
export function timeText(time: SQLWrapper): SQL<string | null> {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** As {@link timeText}, of what a join or an aggregate may leave empty. */
export function timeTextOrNull(time: PgColumn | SQL | SQL.Aliased): SQL<string | null> {
  return timeText(sql`${time}`);
}

/** The database's time as text. */
export const NOW_TEXT = timeText(sql`now()`);

/** @returns `column = value` when there is a value */
export function same<Column extends PgColumn>(column: Column, value: Column["_"]["data"] | undefined): SQL | undefined {
  return value === undefined ? undefined : eq(column, value);
}

/** One parameter, however many values: drizzle's `inArray` has one for each. */
export function anyOf<Column extends PgColumn>(column: Column, values: readonly Column["_"]["data"][]): SQL {
  return sql`${column} = any(${sql.param(values)})`;
}

/** Whether an operation is an action of the console: its own history, not a client's. */
export function isConsole(operation: PgColumn): SQL {
  return sql`${operation} like 'admin.%'`;
}
