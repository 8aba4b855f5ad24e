import type { Hono } from "hono";
import { z } from "zod";
import { changeClient, createApiClient } from "@/auth/api-keys/manage-clients";
import { createClientKey, revokeKey, rotateKey, type KeyResult } from "@/auth/api-keys/manage-keys";
import { AppError } from "@/domain/errors";
import { parseClientFilters } from "@/presentation/filters/parsers";
import { isPathName } from "@/domain/access/path-name";
import { KEY_OVERLAP_HOURS, KEY_OVERLAP_MAX_HOURS } from "@/auth/api-keys/api-key-rules";
import { clientsOfKey } from "@/console/read/operations/clients-of-key";
import { listClients } from "@/console/read/access/list-clients";
import { readClient } from "@/console/read/access/read-client";
import type { AdminEnv } from "../env";
import { actionAnswer, idOf, withMessage, outcomeMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

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

/**
 * Clients and their keys. A key is in the answer that made it and in no other: the same request again gets the same answer without it,
 * and whoever lost it rotates.
 */
export function registerAdminClients(app: Hono<AdminEnv>): void {
  registerReads(app);
  registerKeys(app);
  const create = {
    id: "createClient",
    summary: "Add a client",
    body: createBody,
    errors: ["api_client.exists", "api_client.limit", "validation.api_key"],
  };
  act(app, "clients.manage", "/clients", create, async ({ c, ctx, origin }, client) => {
    const result = await createApiClient(ctx, origin, client);
    // Its page is where its first key is made.
    const href = `/clients/${encodeURIComponent(client.name.trim())}`;
    return actionAnswer(c, result, { message: outcomeMessage(result.answer, "Created. It has no key yet."), href });
  });
  const change = {
    id: "changeClient",
    summary: "Change what a client is",
    body: changeBody,
    errors: ["api_client.not_found", "validation.api_key"],
  };
  act(app, "clients.manage", "/clients/:client/change", change, async ({ c, ctx, origin }, fields) =>
    withMessage(c, await changeClient(ctx, origin, nameInPath(c), fields), "Changed."),
  );
}

function registerReads(app: Hono<AdminEnv>): void {
  // A range that does not exist is read as the default.
  const range = { filters: parseClientFilters };
  const clients = { id: "listClients", summary: "Clients and what their keys did", ...range };
  read(app, "clients.read", "/clients", clients, (ctx, c) => listClients(ctx, rangeOf(c)));
  const one = { id: "readClient", summary: "A client, its keys and what they did", ...range, notFound: "api_client" };
  read(app, "clients.read", "/clients/:client", one, async (ctx, c) =>
    readClient(ctx, { client: nameInPath(c), ...rangeOf(c) }),
  );
  const callers = { id: "listCallers", summary: "Clients that sent the key of an operation", notFound: "operation" };
  read(app, "operations.read", "/operations/:id/callers", callers, async (ctx, c) =>
    clientsOfKey(ctx, { operationId: idOf(c, "operation.not_found") }),
  );
}

function registerKeys(app: Hono<AdminEnv>): void {
  const create = {
    id: "createKey",
    summary: "Make an API key; it is in this answer and in no other",
    body: keyBody,
    errors: ["api_client.not_found", "api_key.limit", "validation.api_key"],
  };
  act(app, "clients.manage", "/clients/:client/keys", create, async ({ c, ctx, origin }, wanted) =>
    withKey(c, await createClientKey(ctx, origin, nameInPath(c), wanted), "The key is created."),
  );
  const rotate = {
    id: "rotateKey",
    summary: "Rotate a key: the old one stays valid for some hours",
    body: rotateBody,
    errors: ["api_client.not_found", "api_key.not_found", "api_key.ended", "api_key.limit"],
  };
  act(app, "clients.manage", "/clients/:client/keys/:keyId/rotate", rotate, async ({ c, ctx, origin }, body) =>
    withKey(c, await rotateKey(ctx, origin, keyOf(c), body.overlapHours), rotated(body.overlapHours)),
  );
  const revoke = {
    id: "revokeKey",
    summary: "End a key now",
    body: reasonBody,
    errors: ["api_client.not_found", "api_key.not_found"],
  };
  act(app, "clients.manage", "/clients/:client/keys/:keyId/revoke", revoke, async ({ c, ctx, origin }) =>
    withMessage(c, await revokeKey(ctx, origin, keyOf(c)), "Revoked."),
  );
}

function rotated(overlapHours: number): string {
  return overlapHours === 0
    ? "The new key is valid; the old one has ended."
    : `The new key is valid; the old one stays valid for ${String(overlapHours)} h.`;
}

function rangeOf(c: AdminCall) {
  return parseClientFilters({ range: c.req.query("range") }).filters;
}

/** @throws AppError `api_client.not_found` 404 for what no client is called */
function nameInPath(c: AdminCall): string {
  const client = c.req.param("client") ?? "";
  if (isPathName(client)) return client;
  throw new AppError("api_client.not_found", 404, "There is no such client", { detail: "Nothing was changed." });
}

function keyOf(c: AdminCall): { readonly client: string; readonly keyId: string } {
  const keyId = c.req.param("keyId") ?? "";
  if (isPathName(keyId)) return { client: nameInPath(c), keyId };
  throw new AppError("api_key.not_found", 404, "This client has no such key", { detail: "Nothing was changed." });
}

function withKey(c: AdminCall, { key, ...result }: KeyResult, done: string) {
  const message = key === undefined ? `${done} It was shown once and is not shown again.` : done;
  return actionAnswer(c, result, { message, key });
}
