import type { Context, Handler, Hono } from "hono";
import type { z } from "zod";
import { AppError } from "@/domain/errors";
import type { Action } from "@/domain/permission";
import type { ActionRequest, ActionResult } from "@/engine/action-answer";
import { purgeExpiredBodies } from "@/engine/purge-bodies";
import { purgeBody } from "@/engine/purge-body";
import { previewRetention } from "@/engine/read/read-retention";
import { reconcileAction } from "@/engine/reconcile-action";
import { requeueInbox } from "@/engine/requeue-inbox";
import { requeueOutbox } from "@/engine/requeue-outbox";
import { resolveAction } from "@/engine/resolve-action";
import { revealBody } from "@/engine/reveal-body";
import type { AdminEnv } from "../env";
import { readJson } from "../body/read-json";
import { validate } from "../body/validate";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { isUuid } from "../routes/uuid";
import { noBody, reasonBody, resolveBody } from "./action-bodies";

/**
 * What operators do. Every call carries an `Idempotency-Key`, says its reason, and is answered with what changed, what was
 * skipped and why, and its audit entry; a second click gets the first answer and `Idempotent-Replayed: true` (DESIGN §2.5).
 */
export function registerAdminActions(app: Hono<AdminEnv>): void {
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(path, needsKey(handler));
  };
  post("/operations/:id/reconcile", async (c) => {
    const body = await bodyOf(c, noBody, { optional: true });
    const id = idOf(c, "operation.not_found");
    const request = requestOf(c, "operations.reconcile", { type: "operation", id }, body?.reason);
    return actionAnswer(c, await reconcileAction(c.get("ctx"), c.get("deps").registry, request, id));
  });
  post("/operations/:id/resolve", async (c) => {
    const body = await bodyOf(c, resolveBody);
    const id = idOf(c, "operation.not_found");
    const input = {
      decision: body.decision,
      evidence: JSON.stringify(body.evidence),
      providerReference: body.providerReference ?? null,
    };
    const request = requestOf(c, "operations.resolve", { type: "operation", id }, body.reason, input);
    return actionAnswer(
      c,
      await resolveAction(c.get("ctx"), c.get("deps").registry, request, { operationId: id, ...body }),
    );
  });
  post("/operations/:id/purge-body", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "operation.not_found");
    return actionAnswer(
      c,
      await purgeBody(c.get("ctx"), requestOf(c, "operations.purge_body", { type: "operation", id }, reason), id),
    );
  });
  post("/operations/:id/reveal", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "operation.not_found");
    const result = await revealBody(c.get("ctx"), requestOf(c, "bodies.reveal", { type: "operation", id }, reason), id);
    return actionAnswer(c, result, { command: result.bodies.command, response: result.bodies.response });
  });
  post("/outbox/:id/requeue", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "outbox.not_found");
    return actionAnswer(
      c,
      await requeueOutbox(c.get("ctx"), requestOf(c, "outbox.requeue", { type: "outbox", id }, reason), id),
    );
  });
  post("/inbox/:id/requeue", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = idOf(c, "inbox.not_found");
    return actionAnswer(
      c,
      await requeueInbox(c.get("ctx"), requestOf(c, "inbox.requeue", { type: "inbox", id }, reason), id),
    );
  });
  // Looks only, so nothing is kept under its key; one is asked for like everywhere.
  post("/retention/preview", async (c) => {
    await bodyOf(c, noBody, { optional: true });
    requireKey(c);
    return jsonAnswer(c, await previewRetention(c.get("ctx")));
  });
  post("/retention/runs", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const ctx = c.get("ctx");
    return actionAnswer(
      c,
      await purgeExpiredBodies(ctx, requestOf(c, "retention.run", { type: "tenant", id: ctx.tenantId }, reason)),
    );
  });
}

/** Whether the caller may was asked at the door, the verb asks again: here only what they sent is read. */
export async function bodyOf<Output>(
  c: Context<AdminEnv>,
  schema: z.ZodType<Output>,
  options: { readonly optional?: boolean } = {},
): Promise<Output> {
  return validate(schema, await readJson(c.req.raw, options));
}

export function requestOf(
  c: Context<AdminEnv>,
  action: Action,
  subject: ActionRequest["subject"],
  reason: string | undefined,
  input: ActionRequest["input"] = {},
): ActionRequest {
  return { action, subject, reason, input, idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt") };
}

export function idOf(c: Context<AdminEnv>, code: string): string {
  const id = c.req.param("id") ?? "";
  if (isUuid(id)) return id.toLowerCase();
  throw new AppError(code, 404, "There is nothing of this id", { detail: "Nothing was changed." });
}

/** @param more members that are read for this answer only and kept nowhere */
export function actionAnswer(
  c: Context<AdminEnv>,
  result: ActionResult,
  more?: Readonly<Record<string, unknown>>,
): Response {
  const headers = {
    "idempotency-status": result.replayed ? "replayed" : "stored",
    "operation-id": result.operationId,
    ...(result.replayed && { "idempotent-replayed": "true" }),
  };
  // The kept bytes as they are, where nothing is added to them.
  return jsonAnswer(c, more === undefined ? result.body : { ...result.answer, ...more }, { headers });
}
