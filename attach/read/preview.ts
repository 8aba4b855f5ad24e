import type { AttachView, VIEW_COLUMNS } from "../contract/columns";
import type { ViewPart } from "../contract/preset";
import type { Foreign } from "../connection";
import { selectSql } from "../install/view-sql";
import { explain, MAX_COST } from "./explain";
import { tooDear, type AttachedPage, type AttachedRow } from "./list-rows";

/** What most rows of a view differ in. No payload and no header is among it. */
export const PREVIEW_COLUMNS: { readonly [View in AttachView]: readonly (keyof (typeof VIEW_COLUMNS)[View])[] } = {
  keys: ["id", "scope", "http_status", "created_at", "locked_until", "expires_at"],
  outgoing: ["id", "type", "created_at", "attempts", "last_error"],
  incoming: ["id", "consumer", "type", "received_at", "attempts", "last_error"],
  dead: ["id", "origin", "type", "first_seen_at", "attempts", "error_message"],
};

/**
 * The newest rows that a view would show, before anything is installed: the statement that stands behind the view, in a transaction that
 * changes nothing, and only where PostgreSQL says that it is cheap. It needs the right to read the tables themselves.
 *
 * @param columns of the view that are read, in their order; no payload is among the columns of any
 * @param limit rows at most
 * @throws the driver's error where the login may not read a table
 */
export async function previewRows(
  foreign: Foreign,
  view: AttachView,
  preset: string,
  parts: readonly ViewPart<AttachView>[],
  { columns, limit }: { readonly columns: readonly string[]; readonly limit: number },
): Promise<AttachedPage> {
  const order = (parts[0]?.order ?? []).map((_, index) => `order_${String(index + 1)} desc`).join(", ");
  const whole = `select ${[...columns, "source", "state"].join(", ")} from (${selectSql(view, preset, parts)}) as preview order by ${order}`;
  const text = `${whole} limit $1::integer`;
  const walk = foreign.walk.bind(foreign);
  const walked = await explain(walk, text, [limit]);
  if (walked.disabled || walked.cost > MAX_COST) {
    // No index has its order: then all of it would be read and sorted, which is cheap for a short table alone.
    const sorted = await explain(foreign.query.bind(foreign), whole);
    if (sorted.cost > MAX_COST) return { shown: false, because: tooDear(sorted.cost, sorted.scanned) };
  }
  const rows = await foreign.walk<Record<string, unknown>>(text, [limit]);
  return { shown: true, rows: rows.map((row) => rowOf(columns, row)), next: undefined, previous: undefined };
}

function rowOf(columns: readonly string[], row: Readonly<Record<string, unknown>>): AttachedRow {
  const values = Object.fromEntries(columns.map((name) => [name, row[name]]));
  return { source: String(row["source"]), state: String(row["state"]), place: [], values };
}
