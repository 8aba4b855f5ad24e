import type { Foreign } from "../connection";
import type { AttachView } from "../contract/columns";
import { quoteName } from "../contract/tables";
import { explain } from "./explain";
import { orderNames, placeOf, tooDear } from "./list-rows";
import type { Cheap } from "./look-up";

/** Planner cost of the dearest statement that is run again and again while somebody looks at a page. */
export const MAX_WATCH_COST = 2_000;

/**
 * How many rows stand above a place of a list, counted no further than `most + 1`, or why they are not counted. All that stands above is
 * what is judged: of a list that few rows of a table are in, the planner expects to find enough early, and would read everything.
 *
 * @param ask.above order columns of the first row of a page; none: the list was empty
 */
export async function countNewer(
  foreign: Foreign,
  schema: string,
  view: AttachView,
  types: readonly string[],
  ask: { readonly above: readonly string[] | undefined; readonly most: number },
): Promise<Cheap<number>> {
  const values = ask.above ?? [];
  const above = ask.above !== undefined;
  const text = newerStatement(schema, view, types, { above, most: ask.most });
  const all = newerStatement(schema, view, types, { above });
  let because = "";
  // By the index that has the order of the list, or else as PostgreSQL likes.
  for (const read of [foreign.walk.bind(foreign), foreign.query.bind(foreign)]) {
    const { cost, scanned, disabled } = await explain(read, all, values);
    if (!disabled && cost <= MAX_WATCH_COST) return { value: await counted(read, text, values) };
    because = tooDear(cost, scanned, { not: "watched", most: MAX_WATCH_COST });
  }
  return { because };
}

async function counted(read: Foreign["query"], text: string, values: readonly string[]): Promise<number> {
  const [row] = await read<{ readonly rows: number }>(text, values);
  return row?.rows ?? 0;
}

/** Its parameters are the place, where there is one. */
export function newerStatement(
  schema: string,
  view: AttachView,
  types: readonly string[],
  { above, most }: { readonly above: boolean; readonly most?: number },
): string {
  const order = orderNames(types).join(", ");
  const where = above ? ` where (${order}) > (${placeOf(types)})` : "";
  const limit = most === undefined ? "" : ` limit ${String(most + 1)}`;
  return `select count(*)::integer as rows from (select 1 from ${quoteName(schema)}.${view}${where} order by ${order}${limit}) newer`;
}
