import type { Queryable } from "./client";

/** By the names of members; the function has them in snake_case after `p_`, and `tenantId` as `p_tenant`. */
type Args = object;

/** Names of members are those of our own types, so there are few of them. */
const columnNames = new Map<string, string>();

/** "operationId" → "operation_id". @param name of a member in our code, never from input */
export function columnName(name: string): string {
  let column = columnNames.get(name);
  if (column === undefined) {
    column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(name, column);
  }
  return column;
}

const memberNames = new Map<string, string>();

/** "operation_id" → "operationId". @param name of a column that a statement of ours names */
export function memberName(name: string): string {
  let member = memberNames.get(name);
  if (member === undefined) {
    member = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    memberNames.set(name, member);
  }
  return member;
}

/** @returns the same members under the names of columns */
export function toColumns(row: object): Readonly<Record<string, unknown>> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) columns[columnName(name)] = value;
  return columns;
}

interface Call {
  readonly text: string;
  /** Names of the arguments in the order of the text's parameters. */
  readonly names: readonly string[];
}

/** By function and names of arguments as they came: building a text for each of a thousand requests a second would show. */
const calls = new Map<string, Call>();

/**
 * A call of a function of the schema by the names of its arguments, so that no list of positions has to be counted. The same
 * arguments make the same text, whatever their order.
 *
 * @param args by name without the `p_`; `undefined` is null
 * @returns the expression to select, and its values in order
 */
export function namedCall(name: string, args: Args): { readonly call: string; readonly values: unknown[] } {
  const given = Object.keys(args);
  const shape = `${name} ${given.join()}`;
  let call = calls.get(shape);
  if (call === undefined) {
    const names = given.sort();
    const list = names.map(
      (arg, index) => `p_${arg === "tenantId" ? "tenant" : columnName(arg)} => $${String(index + 1)}`,
    );
    call = { text: `onceboard.${name}(${list.join(", ")})`, names };
    calls.set(shape, call);
  }
  return { call: call.text, values: call.names.map((arg) => args[arg as keyof Args]) };
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
