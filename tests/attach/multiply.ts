import type { ForeignDatabase } from "@/attach/testing/foreign-database";
import { quoteName } from "@/attach/contract/tables";

const ROWS_PER_STATEMENT = 50_000;
/** How far the times of a copy lie from those of its original, at most. */
const SPAN = "30 days";
/** A library that keeps a time as a number keeps milliseconds, in a column of such a name. */
const MILLISECONDS = /_at$/;

/** With a hyphen before it. */
const UUID_LENGTH = 37;

interface Column {
  readonly name: string;
  readonly type: string;
  /** Characters that fit, of a varchar. */
  readonly length: number | null;
  /** Filled by the database: an identity, a sequence or an expression. */
  readonly filled: boolean;
  readonly sequence: string | null;
  /** Points at another table, or says in which partition a row is: a copy has it as its original does. */
  readonly kept: boolean;
  /** Whether one value many times would make a chain of an index. */
  readonly hashed: boolean;
}

const COLUMNS = `
select a.attname as name, format_type(a.atttypid, null) as type,
  case when a.atttypid = 'varchar'::regtype and a.atttypmod > 4 then a.atttypmod - 4 end as length,
  a.attidentity <> '' or a.attgenerated <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false) as filled,
  case when a.attgenerated = '' then pg_get_serial_sequence($1, a.attname) end as sequence,
  exists (select from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'f' and a.attnum = any(c.conkey))
    or exists (select from pg_partitioned_table p where p.partrelid = a.attrelid and a.attnum = any(p.partattrs::int2[])) as kept,
  exists (select from pg_index i join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam
    where i.indrelid = a.attrelid and m.amname = 'hash' and a.attnum = any(i.indkey::int2[])) as hashed
from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

/** The columns of each unique index; those over expressions or some of the rows are of what no fixture has. */
const UNIQUE = `
select array_agg(a.attname::text order by a.attnum) as columns
from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
where i.indrelid = $1::regclass and i.indisunique and i.indpred is null and i.indexprs is null
group by i.indexrelid, i.indisprimary order by i.indisprimary desc, i.indexrelid`;

/**
 * Copies the rows that a table has until it has so many. A copy differs from its original in what has to be unique and in its times: what
 * is past is longer ago, by up to ${SPAN}, and what is to come is later, so that its state stays.
 *
 * @param like a predicate: the original of those copies that are not a mix of all
 * @param share of the copies that are like that one, between 0 and 1
 */
export async function multiply(
  database: ForeignDatabase,
  table: string,
  { rows, like, share }: { readonly rows: number; readonly like: string; readonly share: number },
): Promise<void> {
  const columns = await database.run<Column>(COLUMNS, [table]);
  const unique = await database.run<{ readonly columns: readonly string[] }>(UNIQUE, [table]);
  const changed = changedColumns(
    columns,
    unique.map((index) => index.columns),
  );
  for (const { name, sequence } of columns)
    if (sequence !== null)
      await database.run(
        `select setval($1::regclass, (select coalesce(max(${quoteName(name)}), 0) + 1 from ${table}), false)`,
        [sequence],
      );
  // A copy of the copies would be moved again: the originals are put aside.
  await database.run(`create table originals as select row_number() over () as number, * from ${table}`);
  const [counted] = await database.run<{ all: string; first: string | null; least: string }>(
    `select count(*) as all, min(number) filter (where ${like}) as first, ${leastOf(columns, changed)} as least from originals`,
  );
  if (counted === undefined || counted.first === null) throw new Error(`No row of ${table} has ${like}.`);
  const [originals, least] = [Number(counted.all), Number(counted.least)];
  const written = columns.filter(({ filled }) => !filled);
  const values = written.map((column) => valueOf(column, changed.has(column.name), least));
  const text = `insert into ${table} (${written.map(({ name }) => quoteName(name)).join(", ")})
    select ${values.join(", ")}
    from (select n, random() * interval '${SPAN}' as span, case when random() < $3::float8 then $4::bigint else n % $5::bigint + 1 end as number
      from generate_series($1::bigint, $2::bigint) n) copy
    join originals t using (number)`;
  for (let from = 1; from <= rows - originals; from += ROWS_PER_STATEMENT)
    await database.run(text, [
      from,
      Math.min(from + ROWS_PER_STATEMENT - 1, rows - originals),
      share,
      counted.first,
      originals,
    ]);
  await database.run("drop table originals");
}

/** What a copy cannot share with its original: one column of each unique index, and what a hash would pile up. */
function changedColumns(columns: readonly Column[], unique: readonly (readonly string[])[]): ReadonlySet<string> {
  const changed = new Set(columns.filter(({ hashed }) => hashed).map(({ name }) => name));
  const rank = ({ type }: Column): number => ["uuid", "bigint", "integer"].indexOf(type) >>> 0;
  for (const index of unique) {
    const own = columns.filter(({ name }) => index.includes(name));
    if (own.some(({ name, filled }) => filled || changed.has(name))) continue;
    const [best] = own.filter(({ kept }) => !kept).sort((a, b) => rank(a) - rank(b));
    if (best === undefined) throw new Error(`Nothing of ${index.join(", ")} can be changed.`);
    changed.add(best.name);
  }
  return changed;
}

/** From where new numbers are given. */
function leastOf(columns: readonly Column[], changed: ReadonlySet<string>): string {
  const numbers = columns.filter(({ name, type }) => changed.has(name) && isNumber(type));
  return numbers.length === 0 ? "0" : `greatest(${numbers.map(({ name }) => `max(${quoteName(name)})`).join(", ")})`;
}

const isNumber = (type: string): boolean => /^(smallint|integer|bigint)$/.test(type);

function valueOf({ name, type, length }: Column, changed: boolean, least: number): string {
  const own = `t.${quoteName(name)}`;
  if (changed) return `case when ${own} is not null then ${newValue(own, type, length, least)} end`;
  if (type.startsWith("timestamp")) {
    const now = type.endsWith("without time zone") ? "now() at time zone 'UTC'" : "now()";
    return `case when ${own} > ${now} then ${own} + copy.span else ${own} - copy.span end`;
  }
  if (isNumber(type) && MILLISECONDS.test(name)) {
    const moved = `(extract(epoch from copy.span) * 1000)::bigint`;
    return `case when ${own} > extract(epoch from now()) * 1000 then ${own} + ${moved} else ${own} - ${moved} end`;
  }
  return own;
}

function newValue(own: string, type: string, length: number | null, least: number): string {
  if (type === "uuid") return "gen_random_uuid()";
  if (isNumber(type)) return `${String(least)} + copy.n`;
  if (!/^(text|character varying)$/.test(type)) throw new Error(`Nobody knows how to make a new ${type}.`);
  // A column that a UUID fills has no room for more.
  if (length !== null && length <= UUID_LENGTH) return "gen_random_uuid()::text";
  const room = length === null ? "" : `::varchar(${String(length - UUID_LENGTH)})`;
  // What looks like JSON stays JSON: a view may read it.
  return `case when ${own} like '{_%}' then left(${own}, -1) || ',"copy":' || copy.n || '}' else ${own}${room} || '-' || gen_random_uuid() end`;
}
