import type { Queryable } from "../client";
import { columnName } from "../named-call";

/** A statement that is run for several rows at once. */
export interface ManyCall<Name extends string> {
  /** Of the prepared statement. */
  readonly name: string;
  /** Types in SQL of the arguments, by the names of our members. */
  readonly types: Readonly<Record<Name, string>>;
  /** What follows `lateral` for one row; it gives exactly one row. @param value the expression of an argument */
  readonly call: (value: (name: Name) => string) => string;
}

/** The call of a function of the schema by the names of its arguments, which are those of the types. */
export function manyCalls<Name extends string>(name: string, types: Readonly<Record<Name, string>>): ManyCall<Name> {
  const names = Object.keys(types) as Name[];
  const call: ManyCall<Name>["call"] = (value) =>
    `onceboard.${name}(${names.map((each) => `p_${columnName(each)} => ${value(each)}`).join(", ")})`;
  return { name: `${name}_many`, types, call };
}

const texts = new Map<string, string>();

/**
 * Runs a statement once for each row, in their order, as one: one commit for all, or none where one of them fails. Every number of
 * rows has the same text, so that all share one prepared statement.
 *
 * @param rows arguments by name; `undefined` is null
 * @param lockTimeoutMs longest wait for a lock: nobody's neighbours wait for what one of them meets
 * @returns for each row what was returned for it
 * @throws the driver's error; Error when there was not exactly one row for each
 */
export async function callMany<Row, Name extends string>(
  db: Queryable,
  many: ManyCall<Name>,
  rows: readonly Readonly<Record<Name, unknown>>[],
  lockTimeoutMs: number,
): Promise<Row[]> {
  const { name, types } = many;
  let text = texts.get(name);
  if (text === undefined) texts.set(name, (text = textOf(many)));
  const columns = (Object.keys(types) as Name[]).map((each) => rows.map((row) => row[each]));
  const found = await db.query<Row & { readonly row_number: number }>({
    name,
    text,
    values: [String(lockTimeoutMs), ...columns],
  });
  const answers: (Row | undefined)[] = rows.map(() => undefined);
  for (const row of found.rows) answers[row.row_number - 1] = row;
  if (found.rows.length !== rows.length || answers.includes(undefined))
    throw new Error(`${name} did not return one row for each of ${String(rows.length)}`);
  return answers as Row[];
}

/** The first argument depends on the limit, so that the limit is set before anything is called. */
function textOf<Name extends string>({ types, call }: ManyCall<Name>): string {
  const names = Object.keys(types) as Name[];
  const arrays = names.map((name, index) => `$${String(index + 2)}::${types[name]}[]`);
  const columns = names.map((_, index) => `a${String(index)}`);
  const value = (name: Name): string =>
    name === names[0] ? "case when l.set is not null then v.a0 end" : `v.a${String(names.indexOf(name))}`;
  return `with l as materialized (select set_config('lock_timeout', $1, true) as set)
    select v.row_number::integer, f.* from l
    cross join unnest(${arrays.join(", ")}) with ordinality as v(${columns.join(", ")}, row_number)
    cross join lateral ${call(value)} as f`;
}
