import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { addEventSecret, expireEventSecret } from "@/console/actions/event-secrets";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import type { AdminEnv } from "../env";
import { EVENT_SOURCE } from "../events/incoming-event";
import type { JsonResponse } from "../profiles/plain";
import { actionAnswer, actionOrigin, withMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

/** These sign with a secret that every process derives; one of a tenant's own would only be one more way in. */
const NOT_A_TENANTS = new Set(["provider", "sandbox"]);
const SECRET_ID_MAX = 100;
const SOURCE_MAX = 64;
const addBody = z.strictObject({ reason, secret: z.string().trim().optional() });
const addToBody = addBody.extend({ source: z.string().trim().max(SOURCE_MAX) });

/** Who may send signed events to `POST /events/{source}`. A secret is in the answer that made it and in no other. */
export function registerAdminEventSources(app: Hono<AdminEnv>): void {
  read(app, "/event-sources", { id: "listEventSources", summary: "Who may send signed events" }, (c) =>
    readEventSources(c.get("ctx")),
  );
  const errors = ["event_source.not_found", "event_source.secrets", "validation.event_secret"];
  // As a form sends it: the source in the body.
  const add = {
    id: "addEventSource",
    summary: "Add a secret to a source that the body names",
    body: addToBody,
    errors,
  };
  act(app, "/event-sources", add, (c, { source, ...input }) => addSecret(c, checkSource(source), input));
  const addTo = {
    id: "addEventSecret",
    summary: "Add a secret to a source; one that we made is in this answer and in no other",
    body: addBody,
    errors,
  };
  act(app, "/event-sources/:source/secrets", addTo, (c, input) => addSecret(c, sourceOf(c), input));
  const expire = {
    id: "expireEventSecret",
    summary: "End a secret of a source now",
    body: reasonBody,
    errors: ["event_source.not_found", "event_source.secret_not_found", "event_source.last_secret"],
  };
  act(app, "/event-sources/:source/secrets/:secretId/expire", expire, async (c, { reason: why }) => {
    const source = sourceOf(c);
    const secretId = (c.req.param("secretId") ?? "").slice(0, SECRET_ID_MAX);
    const result = await expireEventSecret(c.get("ctx"), actionOrigin(c, why), { source, secretId });
    return withMessage(c, result, "It has ended: what it signs is refused from now on.");
  });
}

async function addSecret(
  c: AdminCall,
  source: string,
  input: z.infer<typeof addBody>,
): Promise<JsonResponse<ActionAnswer & { message: string; secret?: string }>> {
  const given = input.secret;
  const { secret, ...result } = await addEventSecret(c.get("ctx"), actionOrigin(c, input.reason), source, given);
  return actionAnswer(c, result, { message: secretWords(secret, given), ...(secret !== undefined && { secret }) });
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
