import type { Queryable } from "@/db/client";
import {
  type ApiClientRow,
  type ApiKeyFacts,
  apiKeyOfClient,
  countLiveKeys,
  endApiKey,
  insertApiKey,
} from "@/db/access/api-clients";
import { revokeApiKeyRow } from "@/db/access/api-keys";
import { AppError } from "@/domain/errors";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionOrigin,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { newApiKey } from "./api-key-format";
import { checkProfile, checkScopes, KEY_OVERLAP_HOURS, MAX_LIVE_KEYS } from "./api-key-rules";
import { forgetApiKey } from "./api-keys";
import { requireApiClient } from "./manage-clients";

/** @property key shown this once and kept nowhere; the same request again gets the same answer without it */
export type KeyResult = ActionResult & { readonly key: string | undefined };

/**
 * Makes a key for a client; without scopes and profile it opens what the client's keys open.
 * @throws AppError `auth.forbidden` 403, `validation.api_key` 422, `api_client.not_found` 404, `api_key.limit` 409
 */
export async function createClientKey(
  ctx: EngineContext,
  origin: ActionOrigin,
  client: string,
  wanted: { readonly scopes?: readonly string[] | undefined; readonly profile?: string | undefined },
): Promise<KeyResult> {
  const scopes = wanted.scopes === undefined ? undefined : checkScopes(wanted.scopes, ctx.scopes);
  const profile = wanted.profile === undefined ? undefined : checkProfile(wanted.profile);
  const made = newApiKey();
  const request = requestOf(origin, client, {
    did: "create key",
    scopes: scopes === undefined ? null : [...scopes].sort().join(" "),
    profile: profile ?? null,
  });
  const result = await operatorAction(ctx, request, async (tx) => {
    const row = await requireApiClient(tx, ctx, client);
    const opens = { scopes: scopes ?? row.scopes, profile: profile ?? row.profile };
    const live = await addKey(tx, ctx, row, made, opens);
    const after = { did: "key made", keyId: made.publicId, ...opens, liveKeys: live + 1 };
    return changedOutcome({ liveKeys: live }, after);
  });
  return { ...result, key: result.replayed ? undefined : made.key };
}

/**
 * Gives a client a new key that opens what the old one opens; the old one goes on for the overlap, so that both work while the
 * client changes over.
 * @param overlapHours 0 (the old one ends now) to KEY_OVERLAP_MAX_HOURS
 * @throws AppError `auth.forbidden` 403, `api_client.not_found` and `api_key.not_found` 404, `api_key.ended` and `api_key.limit`
 * 409
 */
export async function rotateKey(
  ctx: EngineContext,
  origin: ActionOrigin,
  of: { readonly client: string; readonly keyId: string },
  overlapHours: number = KEY_OVERLAP_HOURS,
): Promise<KeyResult> {
  const { client, keyId } = of;
  const made = newApiKey();
  const request = requestOf(origin, client, { did: "rotate key", keyId, overlapHours: String(overlapHours) });
  const result = await operatorAction(ctx, request, async (tx) => {
    const row = await requireApiClient(tx, ctx, client);
    const old = await requireLiveKey(tx, ctx, row, keyId);
    const opens = { scopes: old.scopes, profile: old.profile };
    await addKey(tx, ctx, row, made, opens);
    const ends = await endApiKey(tx, { tenantId: ctx.tenantId, keyId, afterHours: overlapHours });
    const before = { keyId, endsAt: old.expiresAt ?? null, lastUsedAt: old.lastUsedAt ?? null };
    const after = { did: "key rotated", keyId: made.publicId, ...opens, oldKeyId: keyId, oldEndsAt: ends };
    return changedOutcome(before, after);
  });
  forgetApiKey(ctx.db, keyId);
  return { ...result, key: result.replayed ? undefined : made.key };
}

/**
 * Ends a key for good, now: this process forgets it at once, others within KEY_CACHE_TTL_MS.
 * @throws AppError `auth.forbidden` 403, `api_client.not_found` and `api_key.not_found` 404
 */
export async function revokeKey(
  ctx: EngineContext,
  origin: ActionOrigin,
  of: { readonly client: string; readonly keyId: string },
): Promise<ActionResult> {
  const { client, keyId } = of;
  const request = requestOf(origin, client, { did: "revoke key", keyId });
  const result = await operatorAction(ctx, request, async (tx) => {
    const row = await requireApiClient(tx, ctx, client);
    const old = await requireKeyOf(tx, ctx, row, keyId);
    const before = { keyId, live: old.live, endsAt: old.expiresAt ?? null, lastUsedAt: old.lastUsedAt ?? null };
    const changed = await revokeApiKeyRow(tx, ctx.tenantId, keyId, ctx.actor.name);
    return changed
      ? changedOutcome(before, { did: "key revoked", keyId, live: false })
      : { ...unchangedOutcome(keyId, "It was revoked before.", before), after: { did: "nothing", keyId, live: false } };
  });
  forgetApiKey(ctx.db, keyId);
  return result;
}

function requestOf(origin: ActionOrigin, client: string, input: ActionRequest["input"]): ActionRequest {
  return { ...origin, action: "clients.manage", subject: { type: "api_client", id: client }, input };
}

/** @returns how many keys were live before. @throws AppError `api_key.limit` 409 */
async function addKey(
  tx: Queryable,
  ctx: EngineContext,
  client: ApiClientRow,
  made: { readonly publicId: string; readonly secretHash: Buffer },
  opens: { readonly scopes: readonly string[]; readonly profile: string },
): Promise<number> {
  const live = await countLiveKeys(tx, ctx.tenantId, client.id);
  if (live >= MAX_LIVE_KEYS) {
    throw new AppError("api_key.limit", 409, "The limit of valid keys is reached", {
      detail: `Nothing was made. A client has at most ${String(MAX_LIVE_KEYS)} at once; revoke one first.`,
    });
  }
  await insertApiKey(tx, {
    tenantId: ctx.tenantId,
    clientId: client.id,
    keyId: made.publicId,
    secretHash: made.secretHash,
    ...opens,
    createdBy: actorRef(ctx.actor),
  });
  return live;
}

async function requireKeyOf(
  tx: Queryable,
  ctx: EngineContext,
  client: ApiClientRow,
  keyId: string,
): Promise<ApiKeyFacts> {
  const key = await apiKeyOfClient(tx, ctx.tenantId, client.id, keyId);
  if (key !== undefined) return key;
  throw new AppError("api_key.not_found", 404, "This client has no such key", { detail: "Nothing was changed." });
}

async function requireLiveKey(
  tx: Queryable,
  ctx: EngineContext,
  client: ApiClientRow,
  keyId: string,
): Promise<ApiKeyFacts> {
  const key = await requireKeyOf(tx, ctx, client, keyId);
  if (key.live) return key;
  throw new AppError("api_key.ended", 409, "This key is revoked or expired", {
    detail: "Nothing was changed. Make a new key instead.",
  });
}
