import type { Context, Handler, Hono } from "hono";
import { z } from "zod";
import type { ActionResult } from "@/engine/action-answer";
import { EVENT_TYPES } from "@/payments/event-types";
import { changeEndpoint, deleteEndpoint, setEndpointDisabled } from "@/payments/webhooks/change-endpoint";
import type { EndpointClick } from "@/payments/webhooks/click";
import { createEndpoint, type EndpointResult } from "@/payments/webhooks/create-endpoint";
import { readEndpoints } from "@/payments/webhooks/read-endpoints";
import { rotateSecret } from "@/payments/webhooks/rotate-secret";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { reason, reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf, idOf } from "./actions";

const URL_MAX = 2_000;
const DESCRIPTION_MAX = 200;
const types = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  // One command, however its list was ordered.
  .transform((asked) => EVENT_TYPES.filter((type) => asked.includes(type)));
const description = z.string().trim().max(DESCRIPTION_MAX);

const createBody = z.strictObject({
  url: z.string().trim().min(1).max(URL_MAX),
  types: types.default([]),
  description: description.default(""),
  reason: reason.optional(),
});
const changeBody = z.strictObject({ types, description, reason });

type Call = Context<AdminEnv>;

/**
 * Merchants' endpoints. A secret is in the answer that made it and in no other: a second click gets the same answer without it, and
 * whoever lost it rotates.
 */
export function registerAdminWebhooks(app: Hono<AdminEnv>): void {
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(`/webhook-endpoints${path}`, needsKey(handler));
  };
  app.get("/webhook-endpoints", async (c) => jsonAnswer(c, await readEndpoints(c.get("ctx"))));
  post("", async (c) => {
    const { reason: why, ...endpoint } = await bodyOf(c, createBody);
    const allowPrivate = c.get("deps").config.webhookAllowPrivate;
    return withSecret(
      c,
      await createEndpoint(c.get("ctx"), clickOf(c, why), endpoint, { allowPrivate }),
      "It is made.",
    );
  });
  post("/:id/change", async (c) => {
    const { reason: why, ...change } = await bodyOf(c, changeBody);
    const result = await changeEndpoint(c.get("ctx"), clickOf(c, why), endpointOf(c), change);
    return said(c, result, "It is changed.");
  });
  post("/:id/rotate-secret", async (c) => {
    const click = await reasoned(c);
    return withSecret(c, await rotateSecret(c.get("ctx"), click, endpointOf(c)), "It has a new secret.");
  });
  post("/:id/disable", async (c) => {
    const click = await reasoned(c);
    return said(c, await setEndpointDisabled(c.get("ctx"), click, endpointOf(c), true), "It rests.");
  });
  post("/:id/enable", async (c) => {
    const click = await reasoned(c);
    return said(c, await setEndpointDisabled(c.get("ctx"), click, endpointOf(c), false), "Its messages go on.");
  });
  post("/:id/delete", async (c) => {
    const click = await reasoned(c);
    return said(c, await deleteEndpoint(c.get("ctx"), click, endpointOf(c)), "It is deleted.");
  });
}

async function reasoned(c: Call): Promise<EndpointClick> {
  return clickOf(c, (await bodyOf(c, reasonBody)).reason);
}

function clickOf(c: Call, why: string | undefined): EndpointClick {
  return { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: why };
}

function endpointOf(c: Call): string {
  return idOf(c, "webhook_endpoint.not_found");
}

function said(c: Call, result: ActionResult, done: string): Response {
  const { changed, skipped } = result.answer;
  return actionAnswer(c, result, { message: changed ? done : `Nothing changed. ${skipped[0]?.why ?? ""}` });
}

function withSecret(c: Call, { secret, ...result }: EndpointResult, done: string): Response {
  const message = secret === undefined ? `${done} Its secret was shown once and is not shown again.` : done;
  return actionAnswer(c, result, { message, ...(secret !== undefined && { secret }) });
}
