import type { Context } from "hono";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { onlyTenant, tenantHomeRegion } from "@/db/tenants";
import { tenantsOfEventSource } from "@/db/inbox/event-sources";
import { AppError } from "@/domain/errors";
import { eventSecrets } from "@/engine/inbox/event-source";
import { wrongRegion } from "@/domain/access/wrong-region";
import { decodeUtf8, parseJson } from "../body/parse-json";
import { readBytes } from "../body/read-bytes";
import type { ApiEnv, Container } from "../env";
import { memberOf } from "@/engine/inbox/arrival-members";
import { eventIdOf, eventTypeOf, type IncomingEvent } from "./incoming-event";

const TENANT = /^[a-z0-9-]{1,63}$/;

/**
 * An event signed as Standard Webhooks want it: over id, time and the bytes as they arrived, five minutes either way, with
 * any secret of the source that is valid now. Nothing is parsed or stored before the signature holds.
 *
 * @throws AppError `tenant.wrong_region` 421; `auth.signature_invalid` 401, the same for an unknown tenant, source, key or time
 */
export async function readSigned(c: Context<ApiEnv>, source: string): Promise<IncomingEvent> {
  const deps = c.get("deps");
  const bytes = await readBytes(c.req.raw);
  const text = decodeUtf8(bytes);
  const named = c.req.query("tenant");
  const tenantId = await tenantOf(deps, source, named);
  if (tenantId === undefined) throw notVerified();
  const home = await tenantHomeRegion(deps.db.pool, tenantId);
  if (home !== deps.config.region) throw wrongRegion(undefined);
  const own = await eventSecrets(deps.db, deps.keyring, tenantId, source);
  const shared = deps.modules.sources.get(source)?.secret;
  const headers = signatureHeaders(c);
  const byOwn = own.some((secret) => holds(secret, text, headers));
  if (!byOwn && !(shared !== undefined && holds(shared, text, headers))) throw notVerified();
  const payload = parseJson(text).value;
  // A secret for all tenants must not let one tenant's event be sent on to another: the address is not signed.
  if (!byOwn && !isOf(payload, tenantId)) throw notVerified();
  return {
    tenantId,
    sender: source,
    source,
    messageId: eventIdOf(headers["webhook-id"]),
    type: eventTypeOf(memberOf(payload, "type")),
    payload,
    payloadBytes: bytes,
    headers: { "webhook-id": headers["webhook-id"] ?? "", "webhook-timestamp": headers["webhook-timestamp"] ?? "" },
  };
}

async function tenantOf(deps: Container, source: string, named: string | undefined): Promise<string | undefined> {
  const { pool } = deps.db;
  if (named !== undefined)
    return TENANT.test(named) && (await tenantHomeRegion(pool, named)) !== undefined ? named : undefined;
  const [first, second] = await tenantsOfEventSource(pool, source);
  if (first !== undefined) return second === undefined ? first : undefined;
  return deps.modules.sources.has(source) ? onlyTenant(pool, undefined) : undefined;
}

function signatureHeaders(c: Context<ApiEnv>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) headers[name] = c.req.header(name) ?? "";
  return headers;
}

function holds(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

function isOf(payload: unknown, tenantId: string): boolean {
  const named = memberOf(payload, "data", "metadata", "tenant");
  return named === undefined || named === tenantId;
}

function notVerified(): AppError {
  return new AppError("auth.signature_invalid", 401, "The signature is not valid", {
    detail:
      "Sign id, time and the exact bytes with a secret of this source, within five minutes, and name the tenant. Nothing was recorded.",
  });
}
