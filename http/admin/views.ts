import type { Context, Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { isViewPage, VIEW_NAME_MAX, VIEW_PAGES } from "@/domain/saved-view";
import { changeView, deleteView } from "@/engine/views/change-view";
import { listAllViews, listViews, readView } from "@/engine/views/list-views";
import { saveView, type ViewClick } from "@/engine/views/save-view";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { actionAnswer, bodyOf, idOf } from "./actions";
import { found } from "./read-input";

const SEARCH_MAX = 4_000;
const name = z
  .string()
  .trim()
  .min(1, "give it a name")
  .max(VIEW_NAME_MAX)
  .regex(/^[^\u0000-\u001f]*$/, "no control characters");
const search = z.string().max(SEARCH_MAX);
const saveBody = z.strictObject({ page: z.enum(VIEW_PAGES), name, search });
const changeBody = z
  .strictObject({ name: name.optional(), search: search.optional() })
  .refine((change) => change.name !== undefined || change.search !== undefined, "say what changes: name or search");
const deleteBody = z.strictObject({}).optional();

type Call = Context<AdminEnv>;

/** Lists with their filters, order and columns under a name, shared by all who see the tenant (C.13). */
export function registerAdminViews(app: Hono<AdminEnv>): void {
  app.get("/views", async (c) => {
    const page = c.req.query("page");
    if (page === undefined) return jsonAnswer(c, await listAllViews(c.get("ctx")));
    if (!isViewPage(page))
      throw new AppError("validation.filter", 400, "A filter was not understood", {
        detail: `page: not one of ${VIEW_PAGES.join(", ")}`,
        extensions: { filters: ["page"] },
      });
    return jsonAnswer(c, await listViews(c.get("ctx"), { page }));
  });
  app.get("/views/:id", async (c) =>
    jsonAnswer(c, found(await readView(c.get("ctx"), { id: idOf(c, "view.not_found") }), "view")),
  );
  app.post(
    "/views",
    needsKey(async (c: Call) => {
      const view = await bodyOf(c, saveBody);
      const { href, ...result } = await saveView(c.get("ctx"), clickOf(c), view);
      return actionAnswer(c, result, { message: "It is saved, for everybody here.", href });
    }),
  );
  app.post(
    "/views/:id/change",
    needsKey(async (c: Call) => {
      const change = await bodyOf(c, changeBody);
      const { href, ...result } = await changeView(c.get("ctx"), clickOf(c), idOf(c, "view.not_found"), change);
      const message = result.answer.changed ? "It is changed." : "Nothing changed. It is so already.";
      return actionAnswer(c, result, { message, ...(href !== undefined && { href }) });
    }),
  );
  app.post(
    "/views/:id/delete",
    needsKey(async (c: Call) => {
      await bodyOf(c, deleteBody, { optional: true });
      const result = await deleteView(c.get("ctx"), clickOf(c), idOf(c, "view.not_found"));
      return actionAnswer(c, result, { message: "It is deleted. Addresses that were copied from it stay good." });
    }),
  );
}

function clickOf(c: Call): ViewClick {
  return { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt") };
}
