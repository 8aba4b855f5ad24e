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
