import type { Queryable } from "../client";
import { namedCall } from "../named-call";

type Row = Record<string, unknown>;

/** Calls a function of the schema as a service in any language would: with named arguments, `p_` left out here. */
export async function callFunction(q: Queryable, name: string, args: Readonly<Row>): Promise<Row[]> {
  const { call, values } = namedCall(name, args);
  const { rows } = await q.query({ text: `select * from ${call}`, values });
  return rows;
}
