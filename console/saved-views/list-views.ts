import { shownName } from "@/domain/plain-text";
import { type SavedViewRow, selectSavedView, selectSavedViews } from "@/db/access/saved-views";
import { only } from "@/db/query";
import { readWithin } from "@/db/bounded-read";
import { type Action, can } from "@/domain/access/permission";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import {
  isViewPage,
  type OwnViewPage,
  VIEW_PAGES,
  viewHref,
  type ViewPage,
  VIEWS_MAX,
} from "@/presentation/list/saved-view";
import { SOURCE_PATHS, sourceOfPage } from "@/presentation/list/source-view-page";
import type { SavedView, SavedViews } from "@/presentation/views/saved-views";
import { MAX_ATTACHMENTS } from "../attachments/limits";
import { listSources } from "../sources/list-sources";
import { mayChange } from "./write-views";

/** The views of one list, by name. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function listViews(ctx: EngineContext, { page }: { readonly page: ViewPage }): Promise<SavedViews> {
  requirePermission(ctx, viewRead(page));
  const rows = await readWithin(ctx.db, "list", (q) => selectSavedViews(q, ctx.tenantId, page, VIEWS_MAX));
  return { rows: rows.flatMap((row) => savedView(ctx, row) ?? []) };
}

/** The views of every list that this person may read, by name: for the palette. @throws AppError `dependency.timeout` 504 */
export async function listAllViews(ctx: EngineContext): Promise<SavedViews> {
  const sources = new Set((await listSources(ctx)).map(({ name }) => name));
  const most = VIEWS_MAX * (VIEW_PAGES.length + MAX_ATTACHMENTS * SOURCE_PATHS.length);
  const rows = await readWithin(ctx.db, "list", (q) => selectSavedViews(q, ctx.tenantId, undefined, most));
  const views = rows.flatMap((row) => savedView(ctx, row) ?? []);
  return {
    rows: views.filter(({ page }) => {
      const source = sourceOfPage(page);
      // Views of a database that is attached no more lead nowhere, until one of its name is attached again.
      return can(roleOf(ctx), viewRead(page)) && (source === undefined || sources.has(source.name));
    }),
  };
}

/** One view by its id, for a link that follows it when it is overwritten. @throws AppError `auth.forbidden` 403 */
export async function readView(ctx: EngineContext, { id }: { readonly id: string }): Promise<SavedView | undefined> {
  const row = await readWithin(ctx.db, "list", (q) => selectSavedView(q, ctx.tenantId, id));
  const view = row === undefined ? undefined : savedView(ctx, row);
  if (view !== undefined) requirePermission(ctx, viewRead(view.page));
  return view;
}

function savedView(ctx: EngineContext, row: SavedViewRow): SavedView | undefined {
  const { id, page, search } = row;
  // Of a list that this version does not have.
  if (!isViewPage(page)) return undefined;
  return {
    ...only(row, "id", "search", "updatedAt"),
    name: shownName(row.name),
    page,
    href: viewHref({ page, id, search }),
    createdBy: shownName(row.creator ?? row.createdBy),
    mayChange: mayChange(ctx, row),
  };
}

/** Whoever may read a list may read its views, and take it along as a file; so it is with the charts, but for the file. */
export const VIEW_READ: Readonly<Record<OwnViewPage, Action>> = {
  operations: "operations.read",
  conflicts: "conflicts.read",
  attention: "operations.read",
  outbox: "outbox.read",
  inbox: "inbox.read",
  "dead-letters": "dead_letters.read",
  plans: "plans.read",
  audit: "audit.read",
  metrics: "metrics.read",
};

/** @returns what asks for the views of a page */
function viewRead(page: ViewPage): Action {
  return sourceOfPage(page) === undefined ? VIEW_READ[page as OwnViewPage] : "attachments.read";
}
