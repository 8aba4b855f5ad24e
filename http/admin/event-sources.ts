import type { Context, Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { addEventSecret } from "@/engine/add-event-secret";
import { expireEventSecret } from "@/engine/expire-event-secret";
import { readEventSources } from "@/engine/read/read-event-sources";
import type { AdminEnv } from "../env";
import { EVENT_SOURCE } from "../events/arrival";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { reason, reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf } from "./actions";

/** These sign with a secret that every process derives; one of a tenant's own would only be one more way in. */
const NOT_A_TENANTS = new Set(["provider", "sandbox"]);
const SECRET_MAX = 200;
const SECRET_ID_MAX = 100;
const SOURCE_MAX = 64;
const addBody = z.strictObject({ reason, secret: z.string().trim().max(SECRET_MAX).optional() });
const addToBody = addBody.extend({ source: z.string().trim().max(SOURCE_MAX) });

/** Who may send signed events to `POST /events/{source}`. A secret is in the answer that made it and in no other. */
export function registerAdminEventSources(app: Hono<AdminEnv>): void {
  app.get("/event-sources", async (c) => jsonAnswer(c, await readEventSources(c.get("ctx"))));
  // As a form sends it: the source in the body.
  app.post(
    "/event-sources",
    needsKey(async (c: Context<AdminEnv>) => {
      const { source, ...asked } = await bodyOf(c, addToBody);
      return addSecret(c, checkSource(source), asked);
    }),
  );
  app.post(
    "/event-sources/:source/secrets",
    needsKey(async (c: Context<AdminEnv>) => {
      const source = sourceOf(c);
      return addSecret(c, source, await bodyOf(c, addBody));
    }),
  );
  app.post(
    "/event-sources/:source/secrets/:secretId/expire",
    needsKey(async (c: Context<AdminEnv>) => {
      const source = sourceOf(c);
      const { reason: why } = await bodyOf(c, reasonBody);
      const secretId = (c.req.param("secretId") ?? "").slice(0, SECRET_ID_MAX);
      const result = await expireEventSecret(c.get("ctx"), clickOf(c, why), { source, secretId });
      const { changed, skipped } = result.answer;
      return actionAnswer(c, result, {
        message: changed
          ? "It has ended: what it signs is refused from now on."
          : `Nothing changed. ${skipped[0]?.why ?? ""}`,
      });
    }),
  );
}

async function addSecret(c: Context<AdminEnv>, source: string, asked: z.infer<typeof addBody>): Promise<Response> {
  const given = asked.secret === "" ? undefined : asked.secret;
  const { secret, ...result } = await addEventSecret(c.get("ctx"), clickOf(c, asked.reason), source, given);
  return actionAnswer(c, result, { message: saidOf(secret, given), ...(secret !== undefined && { secret }) });
}

function saidOf(secret: string | undefined, given: string | undefined): string {
  if (given !== undefined) return "It has the secret that you gave. The ones before are valid for another day.";
  return secret === undefined
    ? "It has a new secret. It was shown once and is not shown again."
    : "It has a new secret. The ones before are valid for another day.";
}

function sourceOf(c: Context<AdminEnv>): string {
  return checkSource(c.req.param("source") ?? "");
}

function checkSource(source: string): string {
  if (EVENT_SOURCE.test(source) && !NOT_A_TENANTS.has(source)) return source;
  throw new AppError("event_source.not_found", 404, "There is no such event source");
}

function clickOf(c: Context<AdminEnv>, why: string) {
  return { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: why };
}
