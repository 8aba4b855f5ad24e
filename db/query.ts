import {
  eq,
  fillPlaceholders,
  getTableColumns,
  is,
  sql,
  SQL,
  type SQLWrapper,
  type Subquery,
  type WithSubquery,
} from "drizzle-orm";
import { PgDialect, QueryBuilder, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";
import { memberName } from "./named-call";
import { AS_OF_SETTING } from "./session";

const dialect = new PgDialect();
/** Drizzle's own, for selects that others read from: their columns keep their names. {@link select} names the rows of an answer. */
export const builder = new QueryBuilder();

type Fields = Readonly<Record<string, PgColumn | SQL | SQL.Aliased>>;
/** Built with {@link select}; its rows are typed by its fields. */
export type Select<Row> = SQLWrapper & { readonly _: { readonly result: Row[] } };
type NullableOf<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row];
/** A row as it is answered: a member that is null is left out. */
export type Present<Row> = { readonly [Name in Exclude<keyof Row, NullableOf<Row>>]: Row[Name] } & {
  readonly [Name in NullableOf<Row>]?: Exclude<Row[Name], null> | undefined;
};
/** Of a row what is shown, so that a spread carries nothing else into an answer. */
export function only<Row extends object, Name extends keyof Row & string>(
  row: Row,
  ...names: readonly Name[]
): Pick<Row, Name> {
  return Object.fromEntries(names.flatMap((name) => (name in row ? [[name, row[name]]] : []))) as Pick<Row, Name>;
}

/** What a read answers a row of. */
export type RowOf<Read extends (...args: never[]) => Promise<unknown>> =
  Awaited<ReturnType<Read>> extends readonly (infer Row)[] ? Row : NonNullable<Awaited<ReturnType<Read>>>;

/**
 * A select whose rows carry the names of its fields, as PostgreSQL's driver reads them. Its list is one text: drizzle spends more on
 * thirty fields than on all else of a statement. What another select reads from is a {@link subselect}.
 */
export function select<F extends Fields>(fields: F) {
  const named = Object.entries(fields).map(([name, field]) => ({
    name: ` as "${name}"`,
    field,
    text: fixedText(field),
  }));
  const list = named.some(({ text }) => text === undefined)
    ? sql.join(named.flatMap(({ name, field }, n) => [sql.raw(n === 0 ? "" : ", "), sql`${field}`, sql.raw(name)]))
    : sql.raw(named.map(({ name, text = "" }) => text + name).join(", "));
  return builder.select({ list } as unknown as F);
}

type Named<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends SQL<infer Value> ? SQL.Aliased<Value> : F[Name];
};

/** As {@link select}, for a select to read from by the names of its fields. */
export function subselect<F extends Fields>(fields: F) {
  const named = Object.entries(fields).map(([name, field]) => [name, is(field, SQL) ? fixed(field).as(name) : field]);
  return builder.select(Object.fromEntries(named) as Named<F>);
}

const fixedTexts = new WeakMap<object, string | undefined>();

/** Of an expression without parameters, made once: to walk its parts again costs more than all else that a statement is built of. */
function fixedText(expression: Fields[string]): string | undefined {
  if (!fixedTexts.has(expression)) {
    const { sql: text, params } = dialect.sqlToQuery(sql`${expression}`);
    fixedTexts.set(expression, params.length === 0 ? text : undefined);
  }
  return fixedTexts.get(expression);
}

/** The same expression. It keeps the tables of its columns, which drizzle would take off in a select from one table: wrong inside a subquery. */
export function fixed<T>(expression: SQL<T>): SQL<T> {
  const text = fixedText(expression);
  return text === undefined ? sql<T>`${expression}` : (sql.raw(text) as SQL<T>);
}

/** All columns of a table under their own names, for those who read from the select by the table's own columns. */
export function allColumns(table: PgTable) {
  return { whole: sql`${table}.*` };
}

/** @param name of the prepared statement, for a text that is the same every time */
export async function rowsOf<Row>(q: Queryable, query: Select<Row> | SQL<Row>, name?: string): Promise<Present<Row>[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(query.getSQL());
  const { rows } = await q.query<object>({ text, values, ...(name !== undefined && { name }) });
  return rows.map((row) => present(row) as Present<Row>);
}

/**
 * As {@link rowsOf}, of what drizzle cannot say or says at more length. A column `operation_id` is the member `operationId`.
 * @typeParam Row has what may be null as optional members
 */
export async function textRows<Row>(
  q: Queryable,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<Row[]> {
  const { rows } = await q.query<object>({ text, values: [...values], ...(name !== undefined && { name }) });
  return rows.map((row) => present(row) as Row);
}

function present(row: object): object {
  const members = Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [[memberName(name), value]]));
  return Object.fromEntries(members) as object;
}

/** A statement whose text is made once, for one that a page asks for again and again. Its values have the names of its placeholders. */
export function prepared<Row>(query: Select<Row> | SQL<Row>) {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  return async (q: Queryable, values: Readonly<Record<string, unknown>>): Promise<Present<Row>[]> => {
    const { rows } = await q.query<object>({ text, values: fillPlaceholders(params, values) });
    return rows.map((row) => present(row) as Present<Row>);
  };
}

/** Rows of a select from what PostgreSQL reads whole before, which drizzle's `with` cannot ask for. */
export function rowsOver<Row>(q: Queryable, first: WithSubquery, query: Select<Row>): Promise<Present<Row>[]> {
  const name = sql.identifier(first._.alias);
  return rowsOf(q, sql<Row>`with ${name} as materialized (${first._.sql}) ${query.getSQL()}`);
}

/** Rows of several selects of the same fields; each keeps its own order and limit. */
export function unionAllOf<Row>(...selects: readonly Select<Row>[]): SQL<Row> {
  return sql`${sql.join([...selects], sql` union all `)}`;
}

/** As {@link unionAllOf}, with each row once. */
export function unionOf<Row>(...selects: readonly Select<Row>[]): SQL<Row> {
  return sql`${sql.join([...selects], sql` union `)}`;
}

/** A row of a table as the driver gives it: members have the names of columns. For statements in text. */
export type DbRow<Table extends PgTable> = {
  readonly [
    Key in keyof Table["_"]["columns"] as Table["_"]["columns"][Key]["_"]["name"]
  ]: Key extends keyof Table["$inferSelect"] ? Table["$inferSelect"][Key] : never;
};

type TimeText<Time> = Time extends PgColumn ? (Time["_"]["notNull"] extends true ? string : string | null) : string;

const TIME_FORMAT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** A time as text with microseconds: a Date keeps milliseconds only, and a cursor needs all of it. */
export function timeText<Time extends PgColumn>(time: Time): SQL<TimeText<Time>>;
export function timeText(time: SQL): SQL<string>;
export function timeText(time: SQLWrapper): SQL<string | null> {
  return sql`to_char(${time} at time zone 'utc', ${sql.raw(TIME_FORMAT)})`;
}

/** The same in a statement that is text. @param column with its alias, never of a caller */
export function timeTextOf(column: string): string {
  return `to_char(${column} at time zone 'utc', ${TIME_FORMAT})`;
}

type Shown<Column> = Column extends PgColumn
  ? Column["_"]["dataType"] extends "date"
    ? SQL<TimeText<Column>>
    : Column
  : never;

/** Columns of a table under their names in our code, times as text. @param names of what is shown, and no other */
export function pick<Table extends PgTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: readonly Name[]
): { readonly [Key in Name]: Shown<Table["_"]["columns"][Key]> } {
  const columns = getTableColumns(table);
  const fields = names.map((name) => {
    const column = columns[name];
    return [name, column?.dataType === "date" ? timeText(column) : column];
  });
  return Object.fromEntries(fields) as { readonly [Key in Name]: Shown<Table["_"]["columns"][Key]> };
}

/** As {@link timeText}, of what a join or an aggregate may leave empty. */
export function timeTextOrNull(time: PgColumn | SQL | SQL.Aliased): SQL<string | null> {
  return timeText(sql`${time}`);
}

/** The moment as text that the rows of a page are of: the database's time, and on a read replica the last one that it has everything of. */
export const NOW_TEXT = timeText(
  sql`least(now(), nullif(current_setting('${sql.raw(AS_OF_SETTING)}', true), '')::timestamptz)`,
);

/** The day of UTC of a time, as tables by day name it. @param time a column, an expression, or RFC 3339 */
export function dayOf(time: PgColumn | SQL | string): SQL<string> {
  return sql`((${time})::timestamptz at time zone 'utc')::date`;
}

export function hoursAgo(hours: number): SQL {
  return sql`now() - make_interval(hours => ${hours})`;
}

/** The start of the slot of so many seconds that a time falls into; slots count from 1970, so days are days of UTC. */
export function slotStart(time: PgColumn | SQL, seconds: number): SQL {
  return sql`date_bin(make_interval(secs => ${seconds}), ${time}, timestamptz 'epoch')`;
}

export const COUNT = sql<number>`count(*)::int`;

export function countWhere(condition: SQL | undefined): SQL<number> {
  return sql`count(*) filter (where ${condition})::int`;
}

/** @returns how many rows a subquery has; its own limit says how far they are counted. */
export async function countRows(q: Queryable, found: Subquery): Promise<number> {
  const [row] = await rowsOf(q, select({ count: COUNT }).from(found));
  return row?.count ?? 0;
}

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
