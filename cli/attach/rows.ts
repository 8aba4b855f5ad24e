import { ATTACH_SCHEMA, ATTACH_VIEWS, type AttachView } from "@/attach/contract/columns";
import type { AttachManifest } from "@/attach/contract/manifest";
import { listRows, ROWS_PER_PAGE, type AttachedRow } from "@/attach/read/list-rows";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { PREVIEW_COLUMNS } from "@/attach/read/preview";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { withAttached } from "./open-attached";

const USAGE = "attach rows keys|outgoing|incoming|dead [--limit 10] [--url-variable NAME] [--as SCHEMA]";
const DEFAULT_LIMIT = "10";
const MAX_CELL = 60;
/** What would let a line of a terminal say something else. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;
/** The newest rows of a view, a line each, and what these tables do not store. Payloads are in none of them. */
export async function printRows([view = "", ...rest]: readonly string[]): Promise<void> {
  const known = ATTACH_VIEWS.find((name) => name === view);
  if (known === undefined) throw new Error(`Say which rows: ${typed(USAGE)}`);
  const values = readArguments(rest, typed(USAGE), { needed: [], optional: ["limit", "url-variable", "as"] });
  const limit = Number(values.limit ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > ROWS_PER_PAGE)
    throw new Error(`--limit has to be from 1 to ${String(ROWS_PER_PAGE)}.`);
  await withAttached(values["url-variable"], async (foreign) => {
    const schema = values.as ?? ATTACH_SCHEMA;
    const manifest = await readAttachManifest(foreign, schema);
    if (manifest === undefined)
      throw new Error(`There is no schema ${schema}: ${typed("attach PRESET --print")} writes it.`);
    const page = await listRows(foreign, schema, manifest, known, { limit });
    if (!page.shown) throw new Error(page.because);
    for (const line of linesOf(known, manifest, page.rows)) process.stdout.write(`${line}\n`);
    if (page.rows.length === 0) process.stdout.write("No rows.\n");
    else if (page.next !== undefined) process.stdout.write("There are more.\n");
  });
}

function linesOf(view: AttachView, manifest: AttachManifest, rows: readonly AttachedRow[]): readonly string[] {
  const columns = manifest.views[view]?.columns ?? {};
  const names = (PREVIEW_COLUMNS[view] as readonly string[]).filter(
    (name) => name === "id" || columns[name]?.kind !== "not_stored",
  );
  const table = rows.map(({ state, values }) => [state, ...names.map((name) => cellOf(values[name]))]);
  const widths = ["state", ...names].map((name, at) =>
    Math.max(name.length, ...table.map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  const missing = (PREVIEW_COLUMNS[view] as readonly string[]).flatMap((name) => {
    const column = columns[name];
    return column?.kind === "not_stored" ? [`${name} is not stored: ${column.reason}`] : [];
  });
  return [...(rows.length === 0 ? [] : [line(["state", ...names]), ...table.map(line)]), ...missing];
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = value instanceof Date ? value.toISOString() : plain(value).replace(UNSEEN, " ");
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

/** An endless time comes as a number of JavaScript. */
const plain = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : JSON.stringify(value);
