import type { Handler, Hono } from "hono";
import { discardInbox } from "@/engine/discard-inbox";
import { discardOutbox } from "@/engine/discard-outbox";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf, idOf, requestOf } from "./actions";

/** What cannot be taken back: a dead message is dropped for good, its row and its dead letter stay. */
export function registerDeadLetters(app: Hono<AdminEnv>): void {
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(path, needsKey(handler));
  };
  post("/outbox/:id/discard", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "outbox.not_found");
    return actionAnswer(
      c,
      await discardOutbox(c.get("ctx"), requestOf(c, "outbox.discard", { type: "outbox", id }, reason), id),
    );
  });
  post("/inbox/:id/discard", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "inbox.not_found");
    return actionAnswer(
      c,
      await discardInbox(c.get("ctx"), requestOf(c, "inbox.discard", { type: "inbox", id }, reason), id),
    );
  });
}
