import { VIEW_COLUMNS, type AttachView } from "../contract/columns";
import type { AttachManifest } from "../contract/manifest";
import { quoteName } from "../contract/tables";
import type { Foreign } from "../connection";
import { explain, MAX_COST, type Explained } from "./explain";

/** Rows of one page of a list. */
export const ROWS_PER_PAGE = 50;

export interface AttachedRow {
  readonly source: string;
  readonly state: string;
  /** Columns of the view by name; times are dates or, where JavaScript has none, text. */
  readonly values: Readonly<Record<string, unknown>>;
}

export type AttachedPage =
  | {
      readonly shown: true;
      readonly rows: readonly AttachedRow[];
      /** Where the next, older rows begin. */
      readonly next: readonly string[] | undefined;
    }
  | { readonly shown: false; readonly because: string };

/**
 * The newest rows of a view by its order, or why they are not shown: a list that would read somebody's whole table is not run.
 *
 * @param after `next` of the page before
 */
export async function listRows(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
  view: AttachView,
  { after, limit = ROWS_PER_PAGE }: { readonly after?: readonly string[] | undefined; readonly limit?: number } = {},
): Promise<AttachedPage> {
  const types = manifest.views[view]?.order;
  if (types === undefined) return { shown: false, because: "These tables have nothing for this list." };
  const way = await wayOf(foreign, schema, view, types, limit);
  if ("because" in way) return { shown: false, because: way.because };
  const text = listStatement(schema, view, types, after !== undefined);
  const found = await way.read<Record<string, unknown>>(text, [...(after ?? []), limit + 1]);
  const rows = found.slice(0, limit).map(rowOf(view));
  const last = found[limit - 1];
  const next =
    found.length > limit && last !== undefined
      ? types.map((_, index) => String(last[`cursor_${String(index + 1)}`]))
      : undefined;
  return { shown: true, rows, next };
}

/** How a list is read, or why it is not; `explained` is what was judged. */
export type Way = { readonly explained: Explained } & (
  { readonly read: Foreign["query"] } | { readonly because: string }
);

/**
 * By an index that has the order of the list, where its first page is cheap that way: every later one is as cheap. Otherwise as
 * PostgreSQL likes, if reading and sorting all of it is cheap, since what it estimates of a later page means little.
 */
export async function wayOf(
  foreign: Foreign,
  schema: string,
  view: AttachView,
  types: readonly string[],
  limit: number,
): Promise<Way> {
  const walk = foreign.walk.bind(foreign);
  const query = foreign.query.bind(foreign);
  const walked = await explain(walk, listStatement(schema, view, types, false), [limit + 1]);
  if (!walked.disabled && walked.cost <= MAX_COST) return { explained: walked, read: walk };
  const whole = await explain(query, listStatement(schema, view, types, false, false));
  if (whole.cost <= MAX_COST) return { explained: whole, read: query };
  return { explained: whole, because: tooDear(whole.cost, whole.scanned) };
}

/** The statement of a list; its parameters are the cursor, if there is one, and the number of rows. */
export function listStatement(
  schema: string,
  view: AttachView,
  types: readonly string[],
  continued: boolean,
  limited = true,
): string {
  const order = types.map((_, index) => `order_${String(index + 1)}`);
  const cursor = types.map((type, index) => `cast($${String(index + 1)}::text as ${type})`);
  const where = continued ? ` where (${order.join(", ")}) < (${cursor.join(", ")})` : "";
  const columns = [...Object.keys(VIEW_COLUMNS[view]), "source", "state"].join(", ");
  const cursors = order.map((name, index) => `${name}::text as cursor_${String(index + 1)}`).join(", ");
  const limit = limited ? ` limit $${String(continued ? types.length + 1 : 1)}::integer` : "";
  return `select ${columns}, ${cursors} from ${quoteName(schema)}.${view}${where} order by ${order.map((name) => `${name} desc`).join(", ")}${limit}`;
}

function rowOf(view: AttachView): (row: Readonly<Record<string, unknown>>) => AttachedRow {
  const names = Object.keys(VIEW_COLUMNS[view]);
  return (row) => ({
    source: String(row["source"]),
    state: String(row["state"]),
    values: Object.fromEntries(names.map((name) => [name, row[name]])),
  });
}

/** @returns why a list is not shown */
export function tooDear(cost: number, scanned: readonly string[]): string {
  const reads = scanned.length === 0 ? "" : ` It would read all of ${scanned.join(" and ")}.`;
  return `Not shown: PostgreSQL estimates a cost of ${Math.round(cost).toLocaleString("en")}, more than ${MAX_COST.toLocaleString("en")}.${reads}`;
}
