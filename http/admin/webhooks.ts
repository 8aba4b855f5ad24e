import type { Hono } from "hono";
import { z } from "zod";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import { EVENT_TYPES } from "@/payments/event-types";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
  setEndpointDisabled,
  type EndpointResult,
} from "@/console/webhooks/endpoint-actions";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import type { AdminEnv } from "../env";
import type { JsonResponse } from "../profiles/plain";
import { actionAnswer, actionOrigin, idOf, withMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

const URL_MAX = 2_000;
const DESCRIPTION_MAX = 200;
const types = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  // One command, however its list was ordered.
  .transform((chosen) => EVENT_TYPES.filter((type) => chosen.includes(type)));
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
 * Merchants' endpoints. A secret is in the answer that made it and in no other: the same request again gets the same answer
 * without it, and whoever lost it rotates.
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
    const made = await createEndpoint(c.get("ctx"), actionOrigin(c, why), endpoint, { allowPrivate });
    return withSecret(c, made, "It is made.");
  });
  const change = { id: "changeWebhookEndpoint", summary: "Change what an endpoint gets", body: changeBody, errors };
  act(app, "/webhook-endpoints/:id/change", change, async (c, { reason: why, ...fields }) =>
    withMessage(c, await changeEndpoint(c.get("ctx"), actionOrigin(c, why), endpointOf(c), fields), "It is changed."),
  );
  const rotate = {
    id: "rotateWebhookSecret",
    summary: "Make a new secret; it is in this answer and in no other",
    body: reasonBody,
    errors: [...errors, "webhook_endpoint.secrets"],
  };
  act(app, "/webhook-endpoints/:id/rotate-secret", rotate, async (c, { reason: why }) =>
    withSecret(c, await rotateSecret(c.get("ctx"), actionOrigin(c, why), endpointOf(c)), "It has a new secret."),
  );
  for (const verb of ["disable", "enable", "delete"] as const) {
    const { id, summary, run, done } = SIMPLE[verb];
    act(app, `/webhook-endpoints/:id/${verb}`, { id, summary, body: reasonBody, errors }, async (c, { reason: why }) =>
      withMessage(c, await run(c.get("ctx"), actionOrigin(c, why), endpointOf(c)), done),
    );
  }
}

/** What needs nothing but a reason. */
const SIMPLE = {
  disable: {
    id: "disableWebhookEndpoint",
    summary: "Let an endpoint rest",
    run: (...args: Parameters<typeof deleteEndpoint>) => setEndpointDisabled(...args, true),
    done: "It rests.",
  },
  enable: {
    id: "enableWebhookEndpoint",
    summary: "Send to an endpoint again",
    run: (...args: Parameters<typeof deleteEndpoint>) => setEndpointDisabled(...args, false),
    done: "Its messages go on.",
  },
  delete: { id: "deleteWebhookEndpoint", summary: "Delete an endpoint", run: deleteEndpoint, done: "It is deleted." },
};

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
