import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { v7 as uuidv7 } from "uuid";
import {
  insertEventSecret as addRow,
  eventSourceSecrets,
  endEventSecret as expireRow,
  lockEventSecrets,
  SECRETS_LIMIT,
} from "@/db/inbox/event-sources";
import { AppError } from "@/domain/errors";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionOrigin,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { eventSecretBinding, newWebhookSecret, OWN_SOURCE } from "@/engine/inbox/event-source";

/** How long the secrets of before are still accepted, and signed with, once there is a newer one. */
export const SECRET_OVERLAP_HOURS = 24;

/** Bytes of a secret that the sender made: as Standard Webhooks want it. */
const GIVEN_MIN_BYTES = 24;
const GIVEN_MAX_BYTES = 64;

/** @property secret shown this once; the same request again gets the same answer without it, and one that was given is not given back */
export type EventSecretResult = ActionResult & { readonly secret: string | undefined };

/**
 * Gives a source of signed events a new secret; the first one makes the source known. The ones before stay valid for
 * SECRET_OVERLAP_HOURS, so that sender and receiver need not change at the same moment.
 * @param source as in `POST /events/{source}`; `onceboard` is ourselves
 * @param given a secret that the sender made: base64, with `whsec_` before it or without; one is made here without it
 * @throws AppError `auth.forbidden` 403, `validation.event_secret` 422, `event_source.secrets` 409 when enough of them overlap
 * already
 */
export async function addEventSecret(
  ctx: EngineContext,
  origin: ActionOrigin,
  source: string,
  given?: string,
): Promise<EventSecretResult> {
  if (given !== undefined && !isUsableSecret(given)) {
    throw new AppError("validation.event_secret", 422, "This secret is not usable", {
      detail: "A secret is 24 to 64 bytes in base64, with whsec_ before it or without. Nothing was made.",
    });
  }
  const { tenantId } = ctx;
  const secretId = uuidv7();
  const secret = given ?? newWebhookSecret();
  const action: ActionRequest = {
    ...origin,
    action: "event_sources.add_secret",
    subject: { type: "event_source", id: source },
    // Which, never what: the input is kept, and another secret under the same key is another command.
    input: given === undefined ? {} : { given: createHash("sha256").update(given).digest("base64url") },
  };
  const result = await operatorAction(ctx, action, async (tx) => {
    await lockEventSecrets(tx, tenantId);
    const valid = (await eventSourceSecrets(tx, tenantId, source)).length;
    if (valid >= SECRETS_LIMIT) {
      throw new AppError("event_source.secrets", 409, "The limit of valid secrets is reached", {
        detail: "Nothing was changed. Wait until an older one expires.",
      });
    }
    const sealed = ctx.keyring.sealSecret(Buffer.from(secret), eventSecretBinding(tenantId, source, secretId));
    await addRow(tx, { tenantId, source, secretId, secret: sealed, overlapHours: SECRET_OVERLAP_HOURS });
    return changedOutcome({ secrets: valid }, { secrets: valid + 1, overlapHours: SECRET_OVERLAP_HOURS });
  });
  return { ...result, secret: result.replayed || given !== undefined ? undefined : secret };
}

/** Whatever the library takes that checks its signatures, unless it is too short to be one or too long to be kept. */
function isUsableSecret(secret: string): boolean {
  try {
    new Webhook(secret);
  } catch {
    return false;
  }
  const { length } = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return length >= GIVEN_MIN_BYTES && length <= GIVEN_MAX_BYTES;
}

/**
 * Ends one secret of a source of signed events now instead of at the end of its overlap. Without any valid secret the source is
 * shut out; our own must keep one, because it signs with it.
 * @throws AppError `auth.forbidden` 403, `event_source.secret_not_found` 404, `event_source.last_secret` 409
 */
export function expireEventSecret(
  ctx: EngineContext,
  origin: ActionOrigin,
  of: { readonly source: string; readonly secretId: string },
): Promise<ActionResult> {
  const { tenantId } = ctx;
  const action: ActionRequest = {
    ...origin,
    action: "event_sources.expire_secret",
    subject: { type: "event_source", id: of.source },
    input: { secretId: of.secretId },
  };
  return operatorAction(ctx, action, async (tx) => {
    await lockEventSecrets(tx, tenantId);
    const valid = await eventSourceSecrets(tx, tenantId, of.source);
    if (!valid.some((row) => row.secret_id === of.secretId)) {
      throw new AppError("event_source.secret_not_found", 404, "There is no such valid secret", {
        detail: "Nothing was changed.",
      });
    }
    if (of.source === OWN_SOURCE && valid.length === 1) {
      const title = "This is the last secret that our own messages are signed with";
      throw new AppError("event_source.last_secret", 409, title, {
        detail: "Nothing was changed. Add another one first.",
      });
    }
    const before = { secrets: valid.length };
    return (await expireRow(tx, { tenantId, ...of }))
      ? changedOutcome(before, { secrets: valid.length - 1, secretId: of.secretId })
      : unchangedOutcome(of.secretId, "It had ended already.", before);
  });
}
