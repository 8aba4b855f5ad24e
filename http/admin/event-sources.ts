import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { addEventSecret, expireEventSecret } from "@/console/actions/event-secrets";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import type { AdminEnv } from "../env";
import { EVENT_SOURCE } from "@/engine/inbox/event-source";
import { actionAnswer, withMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type ActionCall, type AdminCall } from "./declare";

/** The provider signs with a secret that every process derives; one of a tenant's own would be one more way in. The other name is reserved. */
const NOT_A_TENANTS = new Set(["provider", "sandbox"]);
const SECRET_ID_MAX = 100;
const SOURCE_MAX = 64;
const addBody = z.strictObject({ reason, secret: z.string().trim().optional() });
const addToBody = addBody.extend({ source: z.string().trim().max(SOURCE_MAX) });

/** Who may send signed events to `POST /events/{source}`. A secret is in the answer that made it and in no other. */
export function registerAdminEventSources(app: Hono<AdminEnv>): void {
  const sources = { id: "listEventSources", summary: "Who may send signed events" };
  read(app, "settings.read", "/event-sources", sources, (ctx) => readEventSources(ctx));
  const errors = ["event_source.not_found", "event_source.secrets", "validation.event_secret"];
  // As a form sends it: the source in the body.
  const add = {
    id: "addEventSource",
    summary: "Add a secret to a source that the body names",
    body: addToBody,
    errors,
  };
  act(app, "event_sources.add_secret", "/event-sources", add, (call, { source, secret }) =>
    addSecret(call, checkSource(source), secret),
  );
  const addTo = {
    id: "addEventSecret",
    summary: "Add a secret to a source; one that we made is in this answer and in no other",
    body: addBody,
    errors,
  };
  act(app, "event_sources.add_secret", "/event-sources/:source/secrets", addTo, (call, { secret }) =>
    addSecret(call, sourceOf(call.c), secret),
  );
  const expire = {
    id: "expireEventSecret",
    summary: "End a secret of a source now",
    body: reasonBody,
    errors: ["event_source.not_found", "event_source.secret_not_found", "event_source.last_secret"],
  };
  const path = "/event-sources/:source/secrets/:secretId/expire";
  act(app, "event_sources.expire_secret", path, expire, async (call) => {
    const { c, ctx } = call;
    const source = sourceOf(c);
    const secretId = (c.req.param("secretId") ?? "").slice(0, SECRET_ID_MAX);
    const result = await expireEventSecret(ctx, call.origin, { source, secretId });
    return withMessage(c, result, "It has ended: what it signs is refused from now on.");
  });
}

async function addSecret({ c, ctx, origin }: ActionCall, source: string, given: string | undefined) {
  const { secret, ...result } = await addEventSecret(ctx, origin, source, given);
  return actionAnswer(c, result, { message: secretWords(secret, given), secret });
}

function secretWords(secret: string | undefined, given: string | undefined): string {
  if (given !== undefined) return "It has the secret that you gave. The ones before are valid for another day.";
  return secret === undefined
    ? "It has a new secret. It was shown once and is not shown again."
    : "It has a new secret. The ones before are valid for another day.";
}

function sourceOf(c: AdminCall): string {
  return checkSource(c.req.param("source") ?? "");
}

function checkSource(source: string): string {
  if (EVENT_SOURCE.test(source) && !NOT_A_TENANTS.has(source)) return source;
  throw new AppError("event_source.not_found", 404, "There is no such event source");
}
