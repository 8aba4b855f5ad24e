import {
  deleteSavedView,
  insertSavedView,
  type SavedViewRow,
  selectSavedView,
  updateSavedView,
} from "@/db/access/saved-views";
import { selectAttachment } from "@/db/attachments/attachments";
import type { Queryable } from "@/db/client";
import { can } from "@/domain/access/permission";
import { AppError } from "@/domain/errors";
import { changedOutcome, unchangedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import { requirePermission, roleOf, type Asking } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import {
  isViewPage,
  keptSearch,
  searchInput,
  viewHref,
  viewPage,
  type ViewPage,
  VIEWS_MAX,
} from "@/presentation/list/saved-view";
import { sourceOfPage } from "@/presentation/list/source-view-page";
import { v7 as uuidv7 } from "uuid";

export interface ViewChange {
  readonly name?: string | undefined;
  /** A query string of the list. */
  readonly search?: string | undefined;
}

/**
 * Renames a view, overwrites what it keeps, or both. Links to it lead to what it keeps then.
 * @throws AppError `auth.forbidden` 403 for a view of somebody else, `view.not_found` 404, `view.exists` 409, `validation.filter`
 * 400
 */
export async function changeView(
  ctx: EngineContext,
  origin: ActionOrigin,
  id: string,
  change: ViewChange,
): Promise<ViewResult> {
  let href: string | undefined;
  const input = { verb: "change", name: change.name ?? null, search: change.search ?? null };
  const request = { ...origin, action: "views.write", subject: { type: "view", id }, input } as const;
  const result = await operatorAction(ctx, request, async (tx) => {
    const { page, ...was } = await changeable(tx, ctx, id);
    const before = { name: was.name, search: was.search };
    const name = change.name ?? was.name;
    const search = change.search === undefined ? was.search : understoodSearch(page, change.search);
    href = viewHref({ page, id, search });
    if (name === was.name && search === was.search) return unchangedOutcome(id, "It is so already.", before);
    const made = await updateSavedView(tx, { tenantId: ctx.tenantId, id, page, name, search });
    if (made === "exists") throw nameTaken(name);
    return changedOutcome(before, { name, search });
  });
  return { ...result, href };
}

/**
 * Deletes a view; the addresses that it led to stay good.
 * @throws AppError `auth.forbidden` 403 for a view of somebody else, `view.not_found` 404
 */
export function deleteView(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  const input = { verb: "delete" };
  return operatorAction(ctx, { ...origin, action: "views.write", subject: { type: "view", id }, input }, async (tx) => {
    const { page, name, search } = await changeable(tx, ctx, id);
    await deleteSavedView(tx, { tenantId: ctx.tenantId, id });
    return changedOutcome({ page, name, search }, { deleted: true });
  });
}

async function changeable(
  tx: Queryable,
  ctx: EngineContext,
  id: string,
): Promise<SavedViewRow & { readonly page: ViewPage }> {
  const row = await selectSavedView(tx, ctx.tenantId, id, true);
  if (row === undefined || !isViewPage(row.page))
    throw new AppError("view.not_found", 404, "There is no such view", { detail: "Nothing was changed." });
  if (!mayChange(ctx, row)) requirePermission(ctx, "views.write_others");
  return { ...row, page: row.page };
}

/** A view is changed by who saved it, and by who may change those of others. */
export function mayChange(ctx: Asking, view: { readonly createdBy: string }): boolean {
  const role = roleOf(ctx);
  return can(role, "views.write_others") || (can(role, "views.write") && view.createdBy === ctx.actor.id);
}

/** @property href the list as the view shows it */
type ViewResult = ActionResult & { readonly href: string | undefined };

/**
 * Keeps a list's filters, order and columns under a name, for everybody who sees the tenant.
 * @param view.search a query string of the list; place, open row and dialog are left out
 * @throws AppError `auth.forbidden` 403, `validation.filter` 400, `view.exists` 409, `view.limit` 409, `attachment.not_found` 404
 * for a list of a database that is not attached
 */
export async function saveView(
  ctx: EngineContext,
  origin: ActionOrigin,
  view: { readonly page: ViewPage; readonly name: string; readonly search: string },
): Promise<ViewResult> {
  const { page, name } = view;
  const search = understoodSearch(page, view.search);
  const id = uuidv7();
  const subject = { type: "view", id: `${page}:${name}` };
  const request = { ...origin, action: "views.write", subject, input: { verb: "save", page, name, search } } as const;
  const result = await operatorAction(ctx, request, async (tx) => {
    await requireSource(tx, ctx, page);
    const row = { tenantId: ctx.tenantId, id, page, name, search, createdBy: ctx.actor.id, limit: VIEWS_MAX };
    const made = await insertSavedView(tx, row);
    if (made === "exists") throw nameTaken(name);
    if (made === "limit") {
      throw new AppError("view.limit", 409, "The limit of views is reached", {
        detail: `Nothing was saved. ${viewPage(page).title} has ${String(VIEWS_MAX)} views at the most; delete one first.`,
      });
    }
    return { ...changedOutcome({}, { id, page, name, search }), subject: { type: "view", id } };
  });
  const made = result.answer.subject?.id;
  return { ...result, href: made === undefined ? undefined : viewHref({ page, id: made, search }) };
}

/** A list of a database that is not attached has no views. @throws AppError `attachment.not_found` 404 */
async function requireSource(tx: Queryable, { tenantId }: EngineContext, page: ViewPage): Promise<void> {
  const source = sourceOfPage(page);
  if (source === undefined || (await selectAttachment(tx, tenantId, { name: source.name })) !== undefined) return;
  throw new AppError("attachment.not_found", 404, "No such attachment", { detail: "Nothing was saved." });
}

/** @throws AppError `validation.filter` 400 for a search that the list does not understand whole */
function understoodSearch(page: ViewPage, text: string): string {
  const { search, problems } = keptSearch(page, searchInput(text));
  if (problems.length === 0) return search;
  throw new AppError("validation.filter", 400, "A filter was not understood", {
    detail: problems.map(({ name, detail }) => `${name}: ${detail}`).join("; "),
    extensions: { filters: problems.map(({ name }) => name) },
  });
}

function nameTaken(name: string): AppError {
  return new AppError("view.exists", 409, "A view with this name exists already", {
    detail: `Nothing was changed. Choose another name than "${name}", or overwrite that view.`,
  });
}
