import type { Hono } from "hono";
import { z } from "zod";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
  setEndpointDisabled,
  testEndpoint,
  type EndpointResult,
} from "@/console/webhooks/endpoint-actions";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import type { AdminEnv } from "../env";
import type { Services } from "../services";
import { actionAnswer, idOf, withMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

const URL_MAX = 2_000;
const DESCRIPTION_MAX = 200;
const description = z.string().trim().max(DESCRIPTION_MAX).refine(isPlain, PLAIN_RULE);

/** @param known types of events that there are */
function bodiesOf(known: readonly string[]) {
  const types = z
    .array(z.enum(known))
    .max(known.length)
    // One command, however its list was ordered.
    .transform((chosen) => known.filter((type) => chosen.includes(type)));
  return {
    create: z.strictObject({
      url: z.string().trim().min(1).max(URL_MAX),
      types: types.default([]),
      description: description.default(""),
      reason: reason.optional(),
    }),
    change: z.strictObject({ types, description, reason }),
  };
}

const errors = ["webhook_endpoint.not_found"];

/**
 * Merchants' endpoints. A secret is in the answer that made it and in no other: the same request again gets the same answer
 * without it, and whoever lost it rotates.
 */
export function registerAdminWebhooks(app: Hono<AdminEnv>, { deps }: Services): void {
  const known = Object.keys(deps.modules.events);
  const bodies = bodiesOf(known);
  const endpoints = { id: "listWebhookEndpoints", summary: "Where events are sent" };
  read(app, "webhook_endpoints.read", "/webhook-endpoints", endpoints, (ctx) => readEndpoints(ctx, known));
  const create = {
    id: "createWebhookEndpoint",
    summary: "Make an endpoint; its secret is in this answer and in no other",
    body: bodies.create,
    errors: ["webhook_endpoint.exists", "webhook_endpoint.limit", "validation.webhook_url"],
  };
  act(app, "webhook_endpoints.create", "/webhook-endpoints", create, async ({ c, ctx, origin }, endpoint) => {
    const allowPrivate = c.get("deps").config.webhookAllowPrivate;
    return withSecret(c, await createEndpoint(ctx, origin, endpoint, { allowPrivate }), "Created.");
  });
  const change = { id: "changeWebhookEndpoint", summary: "Change what an endpoint gets", body: bodies.change, errors };
  act(app, "webhook_endpoints.change", "/webhook-endpoints/:id/change", change, async ({ c, ctx, origin }, fields) =>
    withMessage(c, await changeEndpoint(ctx, origin, endpointOf(c), fields), "Changed."),
  );
  const rotate = {
    id: "rotateWebhookSecret",
    summary: "Make a new secret; it is in this answer and in no other",
    body: reasonBody,
    errors: [...errors, "webhook_endpoint.secrets"],
  };
  const path = "/webhook-endpoints/:id/rotate-secret";
  act(app, "webhook_endpoints.rotate_secret", path, rotate, async ({ c, ctx, origin }) =>
    withSecret(c, await rotateSecret(ctx, origin, endpointOf(c)), "It has a new secret."),
  );
  for (const verb of ["disable", "enable", "test", "delete"] as const) {
    const { id, summary, run, done } = SIMPLE[verb];
    const about = { id, summary, body: reasonBody, errors };
    act(app, `webhook_endpoints.${verb}`, `/webhook-endpoints/:id/${verb}`, about, async ({ c, ctx, origin }) =>
      withMessage(c, await run(ctx, origin, endpointOf(c)), done),
    );
  }
}

/** What needs nothing but a reason. */
const SIMPLE = {
  disable: {
    id: "disableWebhookEndpoint",
    summary: "Disable an endpoint",
    run: (...args: Parameters<typeof deleteEndpoint>) => setEndpointDisabled(...args, true),
    done: "Disabled.",
  },
  enable: {
    id: "enableWebhookEndpoint",
    summary: "Enable an endpoint",
    run: (...args: Parameters<typeof deleteEndpoint>) => setEndpointDisabled(...args, false),
    done: "Enabled. Its messages may be sent again.",
  },
  test: {
    id: "testWebhookEndpoint",
    summary: "Send one message now to an endpoint that is down",
    run: testEndpoint,
    done: "The relay sends one message there at its next turn.",
  },
  delete: { id: "deleteWebhookEndpoint", summary: "Delete an endpoint", run: deleteEndpoint, done: "It is deleted." },
};

function endpointOf(c: AdminCall): string {
  return idOf(c, "webhook_endpoint.not_found");
}

function withSecret(c: AdminCall, { secret, ...result }: EndpointResult, done: string) {
  const message = secret === undefined ? `${done} Its secret was shown once and is not shown again.` : done;
  return actionAnswer(c, result, { message, secret });
}
