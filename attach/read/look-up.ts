import type { VIEW_COLUMNS, AttachView } from "../contract/columns";
import type { AttachManifest } from "../contract/manifest";
import { quoteName } from "../contract/tables";
import type { Foreign } from "../connection";
import { explain, MAX_COST } from "./explain";
import { rowColumns, attachedRowOf, rowStatement, tooDear, type AttachedRow } from "./list-rows";

/** What was read, or why it was not: somebody's whole table is not read for it. */
export type Cheap<Value> = { readonly value: Value } | { readonly because: string };

/**
 * The row at a place of a list, by the index that the list walks.
 *
 * @param at its `place` and its id
 */
export async function readRow(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
  view: AttachView,
  at: { readonly place: readonly string[]; readonly id: string },
): Promise<Cheap<AttachedRow | undefined>> {
  const types = manifest.views[view]?.order;
  if (types === undefined) return { value: undefined };
  const values = [...at.place, at.id];
  const found = await readIfCheap(foreign, rowStatement(schema, view, types), values);
  return "because" in found ? found : { value: found.value.map(attachedRowOf(view, types))[0] };
}

/** Columns of each view that a person may know a row by. */
const NAMES = {
  keys: ["id", "key"],
  outgoing: ["id", "message_id"],
  incoming: ["id", "message_id"],
  dead: ["id"],
} as const satisfies { readonly [View in AttachView]: readonly (keyof (typeof VIEW_COLUMNS)[View])[] };

export interface LookedUp {
  readonly rows: readonly AttachedRow[];
  /** Columns that were not asked, each with the reason. */
  readonly left: readonly { readonly column: string; readonly because: string }[];
}

/**
 * Rows of a view whose id, key or message id is exactly this text. A column that has no index is asked only where all of its table is cheap
 * to read; one that is not stored is never asked.
 *
 * @param most rows of each column
 */
export async function lookUp(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
  view: AttachView,
  { text, most }: { readonly text: string; readonly most: number },
): Promise<LookedUp> {
  const known = manifest.views[view];
  if (known === undefined) return { rows: [], left: [] };
  const rows = new Map<string, AttachedRow>();
  const left: { readonly column: string; readonly because: string }[] = [];
  for (const column of NAMES[view]) {
    if (known.columns[column]?.kind === "not_stored") continue;
    const statement = `select ${rowColumns(view, known.order)} from ${quoteName(schema)}.${view} where ${column} = $1::text`;
    const found = await readIfCheap(foreign, statement, [text], ` limit ${String(most)}`);
    if ("because" in found) left.push({ column, because: found.because });
    else for (const row of found.value.map(attachedRowOf(view, known.order))) rows.set(String(row.values["id"]), row);
  }
  return { rows: [...rows.values()], left };
}

/**
 * How many rows of a view are in each state, in one pass, where reading all of it is cheap. A state without a row is not in it.
 * The unlimited statement is what is judged: under a limit the planner expects to find a rare state early, and would read everything.
 */
export async function countStates(
  foreign: Foreign,
  schema: string,
  view: AttachView,
): Promise<Cheap<ReadonlyMap<string, bigint>>> {
  const found = await readIfCheap(foreign, countStatement(schema, view));
  if ("because" in found) return found;
  return { value: new Map(found.value.map(({ state, rows }) => [String(state), BigInt(String(rows))])) };
}

/** Why the rows of a view are not counted; undefined where they are. Counts nothing. */
export async function whyNotCounted(foreign: Foreign, schema: string, view: AttachView): Promise<string | undefined> {
  const { cost, scanned } = await explain(foreign.query.bind(foreign), countStatement(schema, view));
  return cost <= MAX_COST ? undefined : tooDear(cost, scanned);
}

export function countStatement(schema: string, view: AttachView): string {
  return `select state, count(*)::text as rows from ${quoteName(schema)}.${view} group by state`;
}

/**
 * Runs a statement where reading all that it reads is cheap.
 *
 * @param limit stands behind the statement when it is run, and not when it is judged
 */
export async function readIfCheap(
  foreign: Foreign,
  text: string,
  values: readonly unknown[] = [],
  limit = "",
): Promise<Cheap<readonly Record<string, unknown>[]>> {
  const { cost, scanned } = await explain(foreign.query.bind(foreign), text, values);
  if (cost > MAX_COST) return { because: tooDear(cost, scanned) };
  return { value: await foreign.query<Record<string, unknown>>(`${text}${limit}`, values) };
}
