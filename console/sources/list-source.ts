import type { AttachView } from "@/attach/contract/columns";
import { whyNoState, listRows } from "@/attach/read/list-rows";
import { readRow } from "@/attach/read/look-up";
import { databaseErrorCode } from "@/db/errors";
import type { OpenAttachment } from "@/console/attachments/open-attachment";
import type { EngineContext } from "@/engine/context";
import type { SourceListView, SourceOpened, SourcePage } from "@/presentation/views/sources";
import { orCutOff } from "./cut-off";
import { viewFacts, shownRow } from "./shown-row";
import { encodePlace, noPlace, readPlace, requirePlace, type SourceCursor } from "./source-cursor";
import { sourceHead, withSource, type SourceBy } from "./with-source";

export interface SourceListAsk {
  readonly view: AttachView;
  /** `next` or `previous` of a page of the same list. */
  readonly cursor?: string | undefined;
  /** Rows in this state alone. */
  readonly state?: string | undefined;
  /** `place` of a row of the list, to be read beside it. */
  readonly open?: string | undefined;
}

/**
 * One page of a list of an attached database, newest first as the library's own index has it, or why it is not shown.
 *
 * @returns undefined when the tenant has no such attachment, or its tables have nothing for this list
 * @throws AppError `validation.cursor` 400, and those of `withSource`
 */
export function listSource(ctx: EngineContext, by: SourceBy, ask: SourceListAsk): Promise<SourceListView | undefined> {
  requirePlace(ask.cursor, ask.view);
  return withSource(ctx, by, async (open) => {
    const { manifest, foreign, row } = open;
    const { view, state } = ask;
    const types = manifest.views[view]?.order;
    if (types === undefined) return undefined;
    const cursor = readPlace(ask.cursor, view, types, ["older", "newer"]);
    const facts = viewFacts(manifest, view);
    const page = await pageOf(ctx, open, view, cursor, state);
    const whyNoFilter = await orCutOff(ctx, open, view, () => whyNoState(foreign, row.installedAs, view, types));
    const opened = await openedRow(ctx, open, view, types, ask.open);
    const source = sourceHead(ctx, open);
    return {
      ...{ ...facts, source, at: source.at, state, page, opened },
      whyNoFilter: typeof whyNoFilter === "object" ? whyNoFilter.because : whyNoFilter,
    };
  });
}

async function pageOf(
  ctx: EngineContext,
  { foreign, row, manifest }: OpenAttachment,
  view: AttachView,
  cursor: SourceCursor | undefined,
  state: string | undefined,
): Promise<SourcePage> {
  const place = cursor === undefined ? {} : { [cursor.side === "newer" ? "before" : "after"]: cursor.place };
  const page = await orCutOff(ctx, { row }, view, () =>
    listRows(foreign, row.installedAs, manifest, view, { ...place, state }),
  ).catch((error: unknown) => {
    throw cursor !== undefined && isNoValue(error) ? noPlace() : error;
  });
  if ("because" in page) return { kind: "not_shown", because: page.because };
  return {
    kind: "rows",
    rows: page.rows.map((each) => shownRow(view, each)),
    next: page.next && encodePlace(view, "older", page.next),
    previous: page.previous && encodePlace(view, "newer", page.previous),
  };
}

/** A cursor is all that comes from outside: what PostgreSQL cannot read as a value was in it. */
const isNoValue = (error: unknown): boolean => databaseErrorCode(error)?.startsWith("22") === true;

async function openedRow(
  ctx: EngineContext,
  { foreign, row, manifest }: OpenAttachment,
  view: AttachView,
  types: readonly string[],
  text: string | undefined,
): Promise<SourceOpened | undefined> {
  if (text === undefined) return undefined;
  let at: SourceCursor | undefined;
  try {
    at = readPlace(text, view, types, ["row"]);
  } catch {
    return { kind: "gone" };
  }
  if (at === undefined) return { kind: "gone" };
  const place = at;
  const found = await orCutOff(ctx, { row }, view, () =>
    readRow(foreign, row.installedAs, manifest, view, place),
  ).catch((error: unknown) => {
    if (isNoValue(error)) return { value: undefined };
    throw error;
  });
  if ("because" in found) return { kind: "not_shown", because: found.because };
  return found.value === undefined ? { kind: "gone" } : { kind: "row", row: shownRow(view, found.value) };
}

/**
 * One row of a list by its place, for scripts.
 *
 * @param open `place` of a row of the list
 * @returns undefined when there is no such attachment
 * @throws AppError `validation.cursor` 400, and those of `withSource`
 */
export function readSourceRow(
  ctx: EngineContext,
  by: SourceBy,
  { view, open: text }: { readonly view: AttachView; readonly open: string },
): Promise<SourceOpened | undefined> {
  return withSource(ctx, by, async (open) => {
    const types = open.manifest.views[view]?.order;
    return types === undefined ? undefined : openedRow(ctx, open, view, types, text);
  });
}
