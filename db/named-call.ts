import type { Queryable } from "./client";

type Args = Readonly<Record<string, unknown>>;

/** "operationId" → "operation_id". */
export function columnName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @returns the same members under the names of columns */
export function toColumns(row: object): Args {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnName(name), value]));
}

/**
 * A call of a function of the schema by the names of its arguments, so that no list of positions has to be counted. The same
 * arguments make the same text, whatever their order.
 *
 * @param args by name without the `p_`; `undefined` is null
 * @returns the expression to select, and its values in order
 */
export function namedCall(name: string, args: Args): { readonly call: string; readonly values: unknown[] } {
  const entries = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  const list = entries.map(([arg], index) => `p_${columnName(arg)} => $${String(index + 1)}`);
  return { call: `onceboard.${name}(${list.join(", ")})`, values: entries.map(([, value]) => value) };
}

/** @returns the rows of a function of the schema. It is a prepared statement: each caller names all of its arguments. */
export async function callRows<Row>(q: Queryable, name: string, args: Args): Promise<Row[]> {
  const { call, values } = namedCall(name, args);
  const { rows } = await q.query<Row>({ name, text: `select * from ${call}`, values });
  return rows;
}

/**
 * As {@link callRows}, of a function that returns one value.
 *
 * @param args by name, or in their order where they are few
 * @returns undefined for null
 */
export async function callScalar<Value>(
  q: Queryable,
  name: string,
  args: Args | readonly unknown[],
): Promise<Value | undefined> {
  const { call, values } = isList(args) ? positionalCall(name, args) : namedCall(name, args);
  const { rows } = await q.query<{ value: Value | null }>({ name, text: `select ${call} as value`, values });
  return rows[0]?.value ?? undefined;
}

function isList(args: Args | readonly unknown[]): args is readonly unknown[] {
  return Array.isArray(args);
}

function positionalCall(name: string, values: readonly unknown[]) {
  return {
    call: `onceboard.${name}(${values.map((_, index) => `$${String(index + 1)}`).join(", ")})`,
    values: [...values],
  };
}
