import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { apiKeyById, type ApiKeyRow, createApiKeyRow, revokeApiKeyRow } from "@/db/access/api-keys";
import { operatorFacts } from "@/db/access/operator-facts";
import { isWireProfile, type WireProfile } from "@/domain/access/permission";
import { checkClientName, checkProfile, checkScopes, invalidKey } from "./api-key-rules";
import { whenThere, type Soon } from "@/domain/soon";
import { newApiKey, parseBearer, sameHash, type PresentedKey } from "./api-key-format";
import { keyUseOf } from "./key-use";
import { createReadCache, type ReadCache } from "@/engine/read-cache";

/** The program behind a request. The key fixes all of it. */
export interface ApiClient {
  readonly tenantId: string;
  readonly homeRegion: string;
  readonly clientId: string;
  readonly name: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly profile: WireProfile;
}

/** A key that was revoked or came to its end stops working everywhere within this time: the longest that a process believes its last look. */
export const KEY_CACHE_TTL_MS = 2_000;
/** Keys that one process remembers; the one read longest ago makes room. */
export const KEY_CACHE_MAX_ENTRIES = 1_000;

const TENANT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** One memory per database handle, so that two databases in one process never answer for each other. */
const caches = new WeakMap<Database, ReadCache<ApiKeyRow | undefined>>();

function cacheOf(db: Database): ReadCache<ApiKeyRow | undefined> {
  const known = caches.get(db);
  if (known !== undefined) return known;
  const cache: ReadCache<ApiKeyRow | undefined> = createReadCache({
    ttlMs: KEY_CACHE_TTL_MS,
    maxEntries: KEY_CACHE_MAX_ENTRIES,
  });
  caches.set(db, cache);
  return cache;
}

/**
 * Who sent this `Authorization: Bearer ob_…`? Answers from memory for up to {@link KEY_CACHE_TTL_MS}, so that a replay stays one
 * round trip; the secret is compared every time.
 * @param header the value of the Authorization header
 * @returns the client, or undefined for a missing, malformed, unknown, wrong, ended or revoked key: a caller learns only "no"
 */
export function authenticateApiKey(db: Database, header: string | null | undefined): Soon<ApiClient | undefined> {
  const presented = parseBearer(header);
  if (presented === undefined) return undefined;
  const row = cacheOf(db).get(presented.publicId, () => apiKeyById(db.pool, presented.publicId));
  return whenThere(row, (found) => clientOf(db, presented, found));
}

function clientOf(db: Database, presented: PresentedKey, row: ApiKeyRow | undefined): ApiClient | undefined {
  if (row === undefined || !sameHash(row.secretHash, presented.secretHash)) return undefined;
  if (!isWireProfile(row.profile)) return undefined;
  keyUseOf(db).note(presented.publicId);
  return {
    tenantId: row.tenantId,
    homeRegion: row.homeRegion,
    clientId: row.clientId,
    name: row.clientName,
    keyId: presented.publicId,
    scopes: row.scopes,
    profile: row.profile,
  };
}

export interface ApiKeyRequest {
  /** Lower case letters, digits and dashes, at most 63; made when it does not exist. */
  readonly tenant: string;
  /** The client's name, 1–100 characters; made when the tenant has none of this name. */
  readonly name: string;
  /** At least one of `knownScopes`. */
  readonly scopes: readonly string[];
  /** What a key may be for in this deployment. Left out, a name that no route asks for opens nothing. */
  readonly knownScopes?: readonly string[];
  /** One of {@link WIRE_PROFILES}; `problem` when left out. */
  readonly profile?: string | undefined;
  /** E-mail of the person who has it: with scope `admin` nobody approves what a key without one asks for. */
  readonly holder?: string | undefined;
  /** Home of the tenant when it is made by this call; `local` when left out. */
  readonly homeRegion?: string | undefined;
}

function checkRequest(request: ApiKeyRequest): { scopes: string[]; profile: WireProfile } {
  if (!TENANT.test(request.tenant)) {
    throw invalidKey("A tenant is 1 to 63 lower case letters, digits and dashes, with no dash at either end.");
  }
  checkClientName(request.name);
  const { scopes, knownScopes = scopes } = request;
  return { scopes: checkScopes(scopes, knownScopes), profile: checkProfile(request.profile ?? "problem") };
}

/** @returns the operator's id. @throws AppError `validation.api_key` 422 */
async function holderOf(db: Database, email: string | undefined): Promise<string | undefined> {
  if (email === undefined) return undefined;
  const person = await operatorFacts(db.pool, { email });
  if (person === undefined || person.disabled)
    throw invalidKey("The holder is the e-mail of an operator who may sign in.");
  return person.id;
}

/**
 * Makes a key for a client of a tenant. The answer is the only time that anybody sees it.
 * @throws AppError `validation.api_key` (422) for a bad tenant, name, scope, profile or holder
 */
export async function createApiKey(
  db: Database,
  request: ApiKeyRequest,
): Promise<{ readonly key: string; readonly keyId: string; readonly tenantId: string; readonly clientId: string }> {
  const { scopes, profile } = checkRequest(request);
  const holder = await holderOf(db, request.holder);
  const { key, publicId, secretHash } = newApiKey();
  const { clientId } = await createApiKeyRow(db.pool, {
    tenantId: request.tenant,
    clientName: request.name,
    newClientId: uuidv7(),
    keyId: publicId,
    secretHash,
    scopes,
    profile,
    homeRegion: request.homeRegion,
    holder,
  });
  return { key, keyId: publicId, tenantId: request.tenant, clientId };
}

/**
 * Ends a key for good. This process forgets it at once, the others within {@link KEY_CACHE_TTL_MS}.
 * @returns whether there was a live key of this id in the tenant
 */
export async function revokeApiKey(db: Database, tenantId: string, keyId: string): Promise<boolean> {
  const revoked = await revokeApiKeyRow(db.pool, tenantId, keyId);
  forgetApiKey(db, keyId);
  return revoked;
}

/** This process looks again at the next request of this key; others believe what they know for {@link KEY_CACHE_TTL_MS}. */
export function forgetApiKey(db: Database, keyId: string): void {
  cacheOf(db).forget(keyId);
}
