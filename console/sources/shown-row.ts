import { LISTED_CHARACTERS, type AttachedRow } from "@/attach/read/list-rows";
import { VIEW_COLUMNS, VIEW_STATES, type AttachView } from "@/attach/contract/columns";
import type { AttachManifest } from "@/attach/contract/manifest";
import { shownName } from "@/domain/plain-text";
import type { SourceColumn, SourceRowView, SourceValue, SourceViewFacts } from "@/presentation/views/sources";
import { encodePlace } from "./source-cursor";

/** A row as a page can show it: whatever its columns hold, it breaks no list. */
export function shownRow(view: AttachView, { values, state, place }: AttachedRow): SourceRowView {
  const id = String(values["id"]);
  const known: readonly string[] = VIEW_STATES[view];
  return {
    id,
    place: encodePlace(view, "row", place, id),
    // A view that was changed by hand may say anything.
    state: known.includes(state) ? state : "unknown",
    values: Object.fromEntries(Object.keys(VIEW_COLUMNS[view]).map((name) => [name, shownValue(values[name])])),
  };
}

/** @param value as the driver gives it: text, a number, a flag, a date, or the number that an infinite time is */
function shownValue(value: unknown): SourceValue {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Date) {
    const year = value.getUTCFullYear();
    // A year that RFC 3339 has; the others are written as they are.
    if (year >= 1 && year <= 9_999) return { kind: "time", at: value.toISOString() };
    return { kind: "text", cut: false, text: Number.isNaN(year) ? "no time" : `year ${String(year)}` };
  }
  if (typeof value === "boolean") return { kind: "text", cut: false, text: value ? "yes" : "no" };
  if (value === Infinity || value === -Infinity)
    return { kind: "text", cut: false, text: value > 0 ? "infinity" : "-infinity" };
  const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : JSON.stringify(value);
  return { kind: "text", text: shownLines(text), cut: text.length >= LISTED_CHARACTERS };
}

/** Lines stay lines: a trace has many. */
const shownLines = (text: string): string => text.replaceAll("\t", " ").split(/\r?\n/).map(shownName).join("\n");

/** What a list knows of its columns and states. */
export function viewFacts(manifest: AttachManifest, view: AttachView): SourceViewFacts {
  const { columns = {}, states = [] } = manifest.views[view] ?? {};
  return {
    view,
    columns: Object.keys(VIEW_COLUMNS[view]).flatMap((name): readonly SourceColumn[] => {
      const column = columns[name];
      if (column === undefined) return [];
      if (column.kind === "stored") return [{ name, kind: "stored" }];
      const says = column.kind === "derived" ? column.rule : column.reason;
      // Written for pages of documents, where a name of theirs stands in backticks.
      return [{ name, kind: column.kind, says: says.replaceAll("`", "") }];
    }),
    states,
  };
}
