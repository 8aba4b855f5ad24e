import type { Queryable } from "./client";

/**
 * A call of a function of the schema by the names of its arguments, so that no list of positions has to be counted.
 *
 * @param args by name without the `p_`; `undefined` is null
 * @returns the expression to select, and its values in order
 */
export function namedCall(
  name: string,
  args: Readonly<Record<string, unknown>>,
): { readonly call: string; readonly values: unknown[] } {
  const list = Object.keys(args).map((arg, index) => `p_${arg} => $${String(index + 1)}`);
  return { call: `onceboard.${name}(${list.join(", ")})`, values: Object.values(args) };
}

/** Calls a function of the schema that answers one value. @returns undefined for null */
export async function callScalar<T>(db: Queryable, name: string, values: readonly unknown[]): Promise<T | undefined> {
  const places = values.map((_, index) => `$${String(index + 1)}`).join(",");
  const { rows } = await db.query<{ value: T | null }>({
    name,
    text: `select onceboard.${name}(${places}) as value`,
    values: [...values],
  });
  return rows[0]?.value ?? undefined;
}
