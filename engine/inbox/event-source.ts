import { randomBytes } from "node:crypto";
import type { Database } from "@/db/client";
import { ensureEventSourceRow, eventSourceSecrets } from "@/db/inbox/event-sources";
import type { BodyKeyring } from "../bodies/body-keyring";

const SECRET_BYTES = 32;
/** @returns a new secret as Standard Webhooks want it: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Id of the first secret of a source: two processes that make it at once make one. */
const FIRST_SECRET = "first";

/** Names of sources in `POST /events/{source}`. */
export const EVENT_SOURCE = /^[a-z0-9][a-z0-9._-]{0,62}$/;
/** Ids that are safe in tables, logs and URLs. */
export const MESSAGE_ID = /^[\x21-\x7e]{1,255}$/;
export const MAX_TYPE_LENGTH = 128;
/** Type of a message whose sender gives none. */
export const UNTYPED = "untyped";
/** Where our own outbox sends as a source. */
export const OWN_SOURCE = "onceboard";

/**
 * @returns the secrets with which a source's signatures may be checked now, `whsec_…`, newest first; several during a
 *   rotation, none when the source is not known
 */
export async function eventSecrets(
  db: Pick<Database, "pool">,
  keyring: BodyKeyring,
  tenantId: string,
  source: string,
): Promise<string[]> {
  const rows = await eventSourceSecrets(db.pool, tenantId, source);
  return rows.map((row) =>
    keyring.openSecret(row.secret, eventSecretBinding(tenantId, source, row.secret_id)).toString(),
  );
}

/**
 * Makes the source with its own secret when it is not there yet. Safe to call from any number of processes.
 *
 * @returns the secret to sign with, `whsec_…`
 */
export async function ensureEventSource(
  db: Pick<Database, "pool">,
  keyring: BodyKeyring,
  tenantId: string,
  source: string,
): Promise<string> {
  const [known] = await eventSecrets(db, keyring, tenantId, source);
  if (known !== undefined) return known;
  const secret = newWebhookSecret();
  await ensureEventSourceRow(db.pool, {
    tenantId,
    source,
    secretId: FIRST_SECRET,
    secret: keyring.sealSecret(Buffer.from(secret), eventSecretBinding(tenantId, source, FIRST_SECRET)),
  });
  const [kept] = await eventSecrets(db, keyring, tenantId, source);
  if (kept === undefined) throw new Error(`event source ${source}: its secret has ended and was not replaced`);
  return kept;
}

/** What a sealed secret is bound to. */
export function eventSecretBinding(tenantId: string, source: string, secretId: string): readonly string[] {
  return [tenantId, "event_source", source, secretId];
}
