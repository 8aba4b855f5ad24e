import type { Queryable } from "../client";

type Row = Record<string, unknown>;

/** Calls a function of the schema as a service in any language would: with named arguments, `p_` left out here. */
export async function callFunction(q: Queryable, name: string, args: Readonly<Row>): Promise<Row[]> {
  const list = Object.keys(args).map((each, index) => `p_${each} => $${String(index + 1)}`);
  const { rows } = await q.query({
    text: `select * from onceboard.${name}(${list.join(", ")})`,
    values: Object.values(args),
  });
  return rows;
}
