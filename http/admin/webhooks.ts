import type { Hono } from "hono";
import { z } from "zod";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import { EVENT_TYPES } from "@/payments/event-types";
import { changeEndpoint, deleteEndpoint, setEndpointDisabled } from "@/console/webhooks/change-endpoint";
import { createEndpoint, type EndpointResult } from "@/console/webhooks/create-endpoint";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { rotateSecret } from "@/console/webhooks/rotate-secret";
import type { AdminEnv } from "../env";
import type { JsonResponse } from "../profiles/plain";
import { actionAnswer, clickOf, idOf, said } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

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

const errors = ["webhook_endpoint.not_found"];

/**
 * Merchants' endpoints. A secret is in the answer that made it and in no other: a second click gets the same answer without it, and
 * whoever lost it rotates.
 */
export function registerAdminWebhooks(app: Hono<AdminEnv>): void {
  read(app, "/webhook-endpoints", { id: "listWebhookEndpoints", summary: "Where events are sent" }, (c) =>
    readEndpoints(c.get("ctx"), EVENT_TYPES),
  );
  const create = {
    id: "createWebhookEndpoint",
    summary: "Make an endpoint; its secret is in this answer and in no other",
    body: createBody,
    errors: ["webhook_endpoint.exists", "webhook_endpoint.limit", "validation.webhook_url"],
  };
  act(app, "/webhook-endpoints", create, async (c, { reason: why, ...endpoint }) => {
    const allowPrivate = c.get("deps").config.webhookAllowPrivate;
    const made = await createEndpoint(c.get("ctx"), clickOf(c, why), endpoint, { allowPrivate });
    return withSecret(c, made, "It is made.");
  });
  const change = { id: "changeWebhookEndpoint", summary: "Change what an endpoint gets", body: changeBody, errors };
  act(app, "/webhook-endpoints/:id/change", change, async (c, { reason: why, ...fields }) =>
    said(c, await changeEndpoint(c.get("ctx"), clickOf(c, why), endpointOf(c), fields), "It is changed."),
  );
  const rotate = {
    id: "rotateWebhookSecret",
    summary: "Make a new secret; it is in this answer and in no other",
    body: reasonBody,
    errors: [...errors, "webhook_endpoint.secrets"],
  };
  act(app, "/webhook-endpoints/:id/rotate-secret", rotate, async (c, { reason: why }) =>
    withSecret(c, await rotateSecret(c.get("ctx"), clickOf(c, why), endpointOf(c)), "It has a new secret."),
  );
  const disable = { id: "disableWebhookEndpoint", summary: "Let an endpoint rest", body: reasonBody, errors };
  act(app, "/webhook-endpoints/:id/disable", disable, async (c, { reason: why }) =>
    said(c, await setEndpointDisabled(c.get("ctx"), clickOf(c, why), endpointOf(c), true), "It rests."),
  );
  const enable = { id: "enableWebhookEndpoint", summary: "Send to an endpoint again", body: reasonBody, errors };
  act(app, "/webhook-endpoints/:id/enable", enable, async (c, { reason: why }) =>
    said(c, await setEndpointDisabled(c.get("ctx"), clickOf(c, why), endpointOf(c), false), "Its messages go on."),
  );
  const remove = { id: "deleteWebhookEndpoint", summary: "Delete an endpoint", body: reasonBody, errors };
  act(app, "/webhook-endpoints/:id/delete", remove, async (c, { reason: why }) =>
    said(c, await deleteEndpoint(c.get("ctx"), clickOf(c, why), endpointOf(c)), "It is deleted."),
  );
}

function endpointOf(c: AdminCall): string {
  return idOf(c, "webhook_endpoint.not_found");
}

function withSecret(
  c: AdminCall,
  { secret, ...result }: EndpointResult,
  done: string,
): JsonResponse<ActionAnswer & { message: string; secret?: string }> {
  const message = secret === undefined ? `${done} Its secret was shown once and is not shown again.` : done;
  return actionAnswer(c, result, { message, ...(secret !== undefined && { secret }) });
}
