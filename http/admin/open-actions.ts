import type { Handler, Hono } from "hono";
import { assignOperation } from "@/engine/assign-operation";
import { releaseAction } from "@/engine/release-action";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { assignBody, reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf, idOf, requestOf } from "./actions";

/** What is done with one operation that is open, besides asking and settling: give its key free, say who looks after it (C.4). */
export function registerOpenActions(app: Hono<AdminEnv>): void {
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(path, needsKey(handler));
  };
  post("/operations/:id/release", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "operation.not_found");
    const request = requestOf(c, "operations.release", { type: "operation", id }, reason);
    return actionAnswer(c, await releaseAction(c.get("ctx"), c.get("deps").registry, request, id));
  });
  post("/operations/:id/assign", async (c) => {
    const { to } = await bodyOf(c, assignBody);
    const id = idOf(c, "operation.not_found");
    const request = requestOf(c, "operations.assign", { type: "operation", id }, undefined, { to });
    return actionAnswer(c, await assignOperation(c.get("ctx"), request, id, to));
  });
}
