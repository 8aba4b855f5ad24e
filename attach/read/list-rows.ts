import { VIEW_COLUMNS, type AttachView } from "../contract/columns";
import type { AttachManifest } from "../contract/manifest";
import { quoteName } from "../contract/tables";
import type { Foreign } from "../connection";
import { explain, MAX_COST, type Explained } from "./explain";

/** Rows of one page of a list. */
export const ROWS_PER_PAGE = 50;
/** Characters of a text that a list reads: somebody's error text may have megabytes. A text of so many may go on. */
export const LISTED_CHARACTERS = 2_000;

export interface AttachedRow {
  readonly source: string;
  readonly state: string;
  /** Columns of the view by name; times are dates or, where JavaScript has none, text. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Its order columns: where a list goes on behind it, and where it is read by itself. */
  readonly place: readonly string[];
}

export interface ListOptions {
  /** `place` of the last row of the page before: what is older. */
  readonly after?: readonly string[] | undefined;
  /** `place` of the first row of the page behind: what is newer. Wins over `after`. */
  readonly before?: readonly string[] | undefined;
  /** Rows in this state alone. No library has an index for that, so it is done only where reading all of the view is cheap. */
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
}

export type AttachedPage =
  | {
      readonly shown: true;
      readonly rows: readonly AttachedRow[];
      /** Where the next, older rows begin. */
      readonly next: readonly string[] | undefined;
      /** There may be newer rows than these. */
      readonly previous: readonly string[] | undefined;
    }
  | { readonly shown: false; readonly because: string };

/**
 * The newest rows of a view by its order, or why they are not shown: a list that would read somebody's whole table is not run.
 * Newest first, also of what is newer than `before`.
 */
export async function listRows(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
  view: AttachView,
  { after, before, state, limit = ROWS_PER_PAGE }: ListOptions = {},
): Promise<AttachedPage> {
  const types = manifest.views[view]?.order;
  if (types === undefined) return { shown: false, because: "These tables have nothing for this list." };
  const from = before ?? after;
  const text = listStatement(schema, view, types, from !== undefined, true, {
    ofState: state !== undefined,
    ascending: before !== undefined,
  });
  const values = [...(from ?? []), limit + 1, ...(state === undefined ? [] : [state])];
  const list = { foreign, schema, view, types };
  const read = await (state === undefined
    ? readCheaply(list, limit, text, values)
    : readOfState(list, state, text, values));
  if ("because" in read) return { shown: false, because: read.because };
  const { found } = read;
  const kept = found.slice(0, limit).map(attachedRowOf(view, types));
  const rows = before === undefined ? kept : kept.reverse();
  const more = found.length > limit;
  const older = before === undefined ? more : true;
  const newer = before === undefined ? after !== undefined : more;
  return {
    shown: true,
    rows,
    next: older ? rows.at(-1)?.place : undefined,
    previous: newer ? rows[0]?.place : undefined,
  };
}

interface ReadList {
  readonly foreign: Foreign;
  readonly schema: string;
  readonly view: AttachView;
  readonly types: readonly string[];
}
type FoundRows = { readonly found: readonly Record<string, unknown>[] } | { readonly because: string };

/** As {@link wayOf} judges; a list that is walked is judged and read in one transaction, since each turn of the wire counts. */
async function readCheaply(
  { foreign, schema, view, types }: ReadList,
  limit: number,
  text: string,
  values: readonly unknown[],
): Promise<FoundRows> {
  const walked = await foreign.walking(async (query) => {
    const isCheap = isWalked(await explain(query, listStatement(schema, view, types, false), [limit + 1]));
    return isCheap ? query<Record<string, unknown>>(text, values) : undefined;
  });
  if (walked !== undefined) return { found: walked };
  const way = await wayOfWhole(foreign, schema, view, types);
  return "because" in way ? way : { found: await way.read(text, values) };
}

async function readOfState(
  { foreign, schema, view, types }: ReadList,
  state: string,
  text: string,
  values: readonly unknown[],
): Promise<FoundRows> {
  const way = await wholeWay(foreign, schema, view, types, state);
  return "because" in way ? way : { found: await way.read(text, values) };
}

const isWalked = ({ disabled, cost }: Explained): boolean => !disabled && cost <= MAX_COST;

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
  const walked = await explain(walk, listStatement(schema, view, types, false), [limit + 1]);
  if (isWalked(walked)) return { explained: walked, read: walk };
  return wayOfWhole(foreign, schema, view, types);
}

async function wayOfWhole(foreign: Foreign, schema: string, view: AttachView, types: readonly string[]): Promise<Way> {
  const query = foreign.query.bind(foreign);
  const whole = await explain(query, listStatement(schema, view, types, false, false));
  if (whole.cost <= MAX_COST) return { explained: whole, read: query };
  return { explained: whole, because: tooDear(whole.cost, whole.scanned) };
}

/** All rows in one state, where reading and sorting the whole view is cheap. */
async function wholeWay(
  foreign: Foreign,
  schema: string,
  view: AttachView,
  types: readonly string[],
  state: string,
): Promise<Way> {
  const query = foreign.query.bind(foreign);
  const text = listStatement(schema, view, types, false, false, { ofState: true });
  const explained = await explain(query, text, [state]);
  if (explained.cost <= MAX_COST) return { explained, read: query };
  return { explained, because: tooDear(explained.cost, explained.scanned) };
}

/** Why pages of a list are not read; undefined where they are. Reads no row. */
export async function whyNotListed(
  foreign: Foreign,
  schema: string,
  view: AttachView,
  types: readonly string[],
  { state, limit = ROWS_PER_PAGE }: Pick<ListOptions, "state" | "limit">,
): Promise<string | undefined> {
  const way =
    state === undefined
      ? await wayOf(foreign, schema, view, types, limit)
      : await wholeWay(foreign, schema, view, types, state);
  return "because" in way ? way.because : undefined;
}

/** Why rows of one state cannot be listed by themselves; undefined where they can. */
export async function whyNoState(
  foreign: Foreign,
  schema: string,
  view: AttachView,
  types: readonly string[],
): Promise<string | undefined> {
  const way = await wholeWay(foreign, schema, view, types, "unknown");
  return "because" in way ? way.because : undefined;
}

interface StatementOptions {
  /** The last parameter is a state. */
  readonly ofState?: boolean;
  /** What is newer than the cursor, the oldest first. */
  readonly ascending?: boolean;
}

/** The statement of a list; its parameters are the cursor, if there is one, the number of rows, and the state, if there is one. */
export function listStatement(
  schema: string,
  view: AttachView,
  types: readonly string[],
  continued: boolean,
  limited = true,
  { ofState = false, ascending = false }: StatementOptions = {},
): string {
  const order = orderNames(types);
  const cursors = continued ? types.length : 0;
  const conditions = [
    ...(continued ? [`(${order.join(", ")}) ${ascending ? ">" : "<"} (${placeOf(types)})`] : []),
    ...(ofState ? [`state = $${String(cursors + (limited ? 2 : 1))}::text`] : []),
  ];
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  const limit = limited ? ` limit $${String(cursors + 1)}::integer` : "";
  const direction = ascending ? "asc" : "desc";
  return `select ${rowColumns(view, types)} from ${quoteName(schema)}.${view}${where} order by ${order.map((name) => `${name} ${direction}`).join(", ")}${limit}`;
}

/** The statement of one row; its parameters are its place and its id. It walks the index of the list. */
export function rowStatement(schema: string, view: AttachView, types: readonly string[]): string {
  const id = `id = $${String(types.length + 1)}::text`;
  return `select ${rowColumns(view, types)} from ${quoteName(schema)}.${view} where (${orderNames(types).join(", ")}) = (${placeOf(types)}) and ${id} limit 1`;
}

/** Names of the order columns. */
export const orderNames = (types: readonly string[]): readonly string[] =>
  types.map((_, index) => `order_${String(index + 1)}`);

/** Parameters that are a place. */
export const placeOf = (types: readonly string[]): string =>
  types.map((type, index) => `cast($${String(index + 1)}::text as ${type})`).join(", ");

/** What is read of a row: its columns, texts but their beginning, and its place. */
export function rowColumns(view: AttachView, types: readonly string[]): string {
  const columns = Object.entries(VIEW_COLUMNS[view]).map(([name, type]) =>
    type === "text" && name !== "id" ? `left(${name}, ${String(LISTED_CHARACTERS)}) as ${name}` : name,
  );
  const places = orderNames(types).map((name, index) => `${name}::text as cursor_${String(index + 1)}`);
  return [...columns, "source", "state", ...places].join(", ");
}

/** @returns what makes a row of what a statement over `rowColumns` answered */
export function attachedRowOf(
  view: AttachView,
  types: readonly string[],
): (row: Readonly<Record<string, unknown>>) => AttachedRow {
  const names = Object.keys(VIEW_COLUMNS[view]);
  return (row) => ({
    source: String(row["source"]),
    state: String(row["state"]),
    values: Object.fromEntries(names.map((name) => [name, row[name]])),
    place: types.map((_, index) => String(row[`cursor_${String(index + 1)}`])),
  });
}

interface Dear {
  /** What it is not: "shown". */
  readonly not: string;
  readonly most: number;
}

/** @returns why a statement was not run */
export function tooDear(
  cost: number,
  scanned: readonly string[],
  { not, most }: Dear = { not: "shown", most: MAX_COST },
): string {
  const reads = scanned.length === 0 ? "" : ` It would read all of ${scanned.join(" and ")}.`;
  return `Not ${not}: PostgreSQL estimates a cost of ${Math.round(cost).toLocaleString("en")}, more than ${most.toLocaleString("en")}.${reads}`;
}
