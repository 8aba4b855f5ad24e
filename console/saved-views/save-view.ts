import { v7 as uuidv7 } from "uuid";
import { insertSavedView } from "@/db/access/saved-views";
import { AppError } from "@/domain/errors";
import { keptSearch, searchInput, viewHref, viewPage, VIEWS_MAX, type ViewPage } from "@/presentation/list/saved-view";
import { changedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";

/** @property href the list as the view shows it */
export type ViewResult = ActionResult & { readonly href: string | undefined };

/**
 * Keeps a list's filters, order and columns under a name, for everybody who sees the tenant.
 * @param view.search a query string of the list; place, open row and dialog are left out
 * @throws AppError `auth.forbidden` 403, `validation.filter` 400, `view.exists` 409, `view.limit` 409
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

/** @throws AppError `validation.filter` 400 for a search that the list does not understand whole */
export function understoodSearch(page: ViewPage, text: string): string {
  const { search, problems } = keptSearch(page, searchInput(text));
  if (problems.length === 0) return search;
  throw new AppError("validation.filter", 400, "A filter was not understood", {
    detail: problems.map(({ name, detail }) => `${name}: ${detail}`).join("; "),
    extensions: { filters: problems.map(({ name }) => name) },
  });
}

export function nameTaken(name: string): AppError {
  return new AppError("view.exists", 409, "A view with this name exists already", {
    detail: `Nothing was changed. Choose another name than "${name}", or overwrite that view.`,
  });
}
