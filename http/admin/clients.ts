import type { Context, Handler, Hono } from "hono";
import { z } from "zod";
import { changeClient, createClient, type ClientClick } from "@/auth/manage-clients";
import { createClientKey, revokeKey, rotateKey, type KeyResult } from "@/auth/manage-keys";
import { AppError } from "@/domain/errors";
import { parseClientFilters } from "@/domain/filters/clients";
import { isPathName } from "@/domain/path-name";
import type { ActionResult } from "@/engine/action-answer";
import { KEY_OVERLAP_HOURS, KEY_OVERLAP_MAX_HOURS } from "@/engine/read/client-choices";
import { clientsOfKey } from "@/engine/read/clients-of-key";
import { listClients } from "@/engine/read/list-clients";
import { readClient } from "@/engine/read/read-client";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { reason, reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf, idOf } from "./actions";

const TEXT_MAX = 300;
const LIST_MAX = 20;
// What they may be is said by the verb, so that the command line and this say the same.
const scopes = z.array(z.string().max(TEXT_MAX)).max(LIST_MAX);
const profile = z.string().max(TEXT_MAX);
const fields = { contact: z.string().max(TEXT_MAX).default(""), scopes, profile: profile.default("problem") };
const createBody = z.strictObject({ name: z.string().max(TEXT_MAX), ...fields, reason: reason.optional() });
const changeBody = z.strictObject({ ...fields, reason });
const keyBody = z.strictObject({ scopes: scopes.optional(), profile: profile.optional(), reason });
const rotateBody = z.strictObject({
  // A form sends texts.
  overlapHours: z.coerce.number().int().min(0).max(KEY_OVERLAP_MAX_HOURS).default(KEY_OVERLAP_HOURS),
  reason,
});

type Call = Context<AdminEnv>;

/**
 * Clients and their keys (C.12). A key is in the answer that made it and in no other: a second click gets the same answer without
 * it, and whoever lost it rotates.
 */
export function registerAdminClients(app: Hono<AdminEnv>): void {
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(`/clients${path}`, needsKey(handler));
  };
  app.get("/clients", async (c) => jsonAnswer(c, await listClients(c.get("ctx"), rangeOf(c))));
  app.get("/clients/:client", async (c) => {
    const client = await readClient(c.get("ctx"), { client: nameOf(c), ...rangeOf(c) });
    if (client === undefined) throw new AppError("api_client.not_found", 404, "There is no such client");
    return jsonAnswer(c, client);
  });
  app.get("/operations/:id/callers", async (c) => {
    const callers = await clientsOfKey(c.get("ctx"), { operationId: idOf(c, "operation.not_found") });
    if (callers === undefined) throw new AppError("operation.not_found", 404, "There is no such operation");
    return jsonAnswer(c, callers);
  });
  post("", async (c) => {
    const { reason: why, ...client } = await bodyOf(c, createBody);
    const result = await createClient(c.get("ctx"), clickOf(c, why), client);
    // Its page is where its first key is made.
    const href = `/clients/${encodeURIComponent(client.name.trim())}`;
    return said(c, result, "It is made. It has no key yet.", { href });
  });
  post("/:client/change", async (c) => {
    const { reason: why, ...change } = await bodyOf(c, changeBody);
    return said(c, await changeClient(c.get("ctx"), clickOf(c, why), nameOf(c), change), "It is changed.");
  });
  post("/:client/keys", async (c) => {
    const { reason: why, ...asked } = await bodyOf(c, keyBody);
    const made = await createClientKey(c.get("ctx"), clickOf(c, why), nameOf(c), asked);
    return withKey(c, made, "The key is made.");
  });
  post("/:client/keys/:keyId/rotate", async (c) => {
    const { reason: why, overlapHours } = await bodyOf(c, rotateBody);
    return withKey(c, await rotateKey(c.get("ctx"), clickOf(c, why), keyOf(c), overlapHours), rotated(overlapHours));
  });
  post("/:client/keys/:keyId/revoke", async (c) => {
    const { reason: why } = await bodyOf(c, reasonBody);
    return said(c, await revokeKey(c.get("ctx"), clickOf(c, why), keyOf(c)), "It is revoked.");
  });
}

function rotated(overlapHours: number): string {
  return overlapHours === 0
    ? "The new key is made; the old one has ended."
    : `The new key is made; the old one goes on for ${String(overlapHours)} h.`;
}

function rangeOf(c: Call) {
  return parseClientFilters({ range: c.req.query("range") }).filters;
}

/** @throws AppError `api_client.not_found` 404 for what no client is called */
function nameOf(c: Call): string {
  const client = c.req.param("client") ?? "";
  if (isPathName(client)) return client;
  throw new AppError("api_client.not_found", 404, "There is no such client", { detail: "Nothing was changed." });
}

function keyOf(c: Call): { readonly client: string; readonly keyId: string } {
  const keyId = c.req.param("keyId") ?? "";
  if (isPathName(keyId)) return { client: nameOf(c), keyId };
  throw new AppError("api_key.not_found", 404, "This client has no such key", { detail: "Nothing was changed." });
}

function clickOf(c: Call, why: string | undefined): ClientClick {
  return { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: why };
}

function said(c: Call, result: ActionResult, done: string, more: Readonly<Record<string, unknown>> = {}): Response {
  const { changed, skipped } = result.answer;
  return actionAnswer(c, result, { message: changed ? done : `Nothing changed. ${skipped[0]?.why ?? ""}`, ...more });
}

function withKey(c: Call, { key, ...result }: KeyResult, done: string): Response {
  const message = key === undefined ? `${done} It was shown once and is not shown again.` : done;
  return actionAnswer(c, result, { message, ...(key !== undefined && { key }) });
}
