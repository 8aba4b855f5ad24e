import { ATTACHMENT_NAME } from "@/domain/attachments/name";
import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import type { Hono } from "hono";
import { z } from "zod";
import { isViewPage, VIEW_NAME_MAX, VIEW_PAGES } from "@/presentation/list/saved-view";
import { SOURCE_PATHS } from "@/presentation/list/source-view-page";
import { changeView, deleteView, saveView } from "@/console/saved-views/write-views";
import { listAllViews, listViews, readView } from "@/console/saved-views/list-views";
import type { AdminEnv } from "../env";
import { actionAnswer, idOf } from "./action-answer";
import { act, read } from "./declare";
import { badFilters } from "./read-input";

const SEARCH_MAX = 4_000;
const name = z.string().trim().min(1, "give it a name").max(VIEW_NAME_MAX).refine(isPlain, PLAIN_RULE);
const search = z.string().max(SEARCH_MAX);
/** A page of ours, or a list of an attached database: `sources/orders-db/outbox`. */
const page = z.union([
  z.enum(VIEW_PAGES),
  z.templateLiteral(["sources/", z.string().regex(ATTACHMENT_NAME), "/", z.enum(SOURCE_PATHS)]),
]);
const saveBody = z.strictObject({ page, name, search });
const changeBody = z
  .strictObject({ name: name.optional(), search: search.optional() })
  .refine((change) => change.name !== undefined || change.search !== undefined, "say what changes: name or search");
const deleteBody = z.strictObject({}).optional();

/** Lists with their filters, order and columns under a name, shared by all who see the tenant. */
export function registerAdminViews(app: Hono<AdminEnv>): void {
  const views = {
    id: "listViews",
    summary: "Saved views, of one page or of all",
    query: { page: page.optional() },
    errors: ["validation.filter"],
  };
  read(app, "operations.read", "/views", views, async (ctx, c) => {
    const asked = c.req.query("page");
    if (asked === undefined) return listAllViews(ctx);
    if (!isViewPage(asked))
      throw badFilters([
        { name: "page", detail: `not one of ${VIEW_PAGES.join(", ")}, and no list of an attached database` },
      ]);
    return listViews(ctx, { page: asked });
  });
  const view = { id: "readView", summary: "A saved view", notFound: "view" };
  read(app, "operations.read", "/views/:id", view, async (ctx, c) => readView(ctx, { id: idOf(c, "view.not_found") }));
  const save = {
    id: "saveView",
    summary: "Save a view, for everybody here",
    body: saveBody,
    errors: ["view.exists", "view.limit", "validation.filter", "attachment.not_found"],
  };
  act(app, "views.write", "/views", save, async ({ c, ctx, origin }, saved) => {
    const { href, ...result } = await saveView(ctx, origin, saved);
    return actionAnswer(c, result, { message: "It is saved, for everybody here.", href });
  });
  const change = {
    id: "changeView",
    summary: "Change a saved view",
    body: changeBody,
    errors: ["view.not_found", "view.exists", "validation.filter"],
  };
  act(app, "views.write", "/views/:id/change", change, async ({ c, ctx, origin }, fields) => {
    const { href, ...result } = await changeView(ctx, origin, idOf(c, "view.not_found"), fields);
    const message = result.answer.changed ? "Changed." : "Nothing changed. It is so already.";
    return actionAnswer(c, result, { message, href });
  });
  const remove = {
    id: "deleteView",
    summary: "Delete a saved view",
    body: deleteBody,
    bodyOptional: true,
    errors: ["view.not_found"],
  };
  act(app, "views.write", "/views/:id/delete", remove, async ({ c, ctx, origin }) => {
    const result = await deleteView(ctx, origin, idOf(c, "view.not_found"));
    return actionAnswer(c, result, { message: "It is deleted. Addresses that were copied from it stay good." });
  });
}
