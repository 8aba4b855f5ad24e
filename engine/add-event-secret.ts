import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { eventSourceSecrets, SECRETS_LIMIT } from "@/db/queries/event-source-secrets";
import { addEventSecret as addRow } from "@/db/statements/add-event-secret";
import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "./action-answer";
import type { EngineContext } from "./context";
import { eventSecretBinding, SECRET_BYTES } from "./event-source";
import { operatorAction } from "./operator-action";

/** How long the secrets of before are still accepted, and signed with, once there is a newer one. */
export const SECRET_OVERLAP_HOURS = 24;

/** @property secret shown this once; a second click gets the same answer without it */
export type EventSecretResult = ActionResult & { readonly secret: string | undefined };

/**
 * Gives a source of signed events a new secret; the first one makes the source known. The ones before stay valid for
 * SECRET_OVERLAP_HOURS, so that sender and receiver need not change at the same moment (S3.4).
 *
 * @param source as in `POST /events/{source}`; `onceboard` is ourselves
 * @throws AppError `auth.forbidden` 403, `event_source.secrets` 409 when enough of them overlap already
 */
export async function addEventSecret(
  ctx: EngineContext,
  request: Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">,
  source: string,
): Promise<EventSecretResult> {
  const { tenantId } = ctx;
  const secretId = uuidv7();
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const action: ActionRequest = {
    ...request,
    action: "event_sources.add_secret",
    subject: { type: "event_source", id: source },
    input: {},
  };
  const result = await operatorAction(ctx, action, async (tx) => {
    const valid = (await eventSourceSecrets(tx, tenantId, source)).length;
    if (valid >= SECRETS_LIMIT) {
      throw new AppError("event_source.secrets", 409, "This source has enough secrets that are still valid", {
        detail: "Nothing was changed. Wait until an older one is over.",
      });
    }
    const sealed = ctx.keyring.sealSecret(Buffer.from(secret), eventSecretBinding(tenantId, source, secretId));
    await addRow(tx, { tenantId, source, secretId, secret: sealed, overlapHours: SECRET_OVERLAP_HOURS });
    const after = { secrets: valid + 1, overlapHours: SECRET_OVERLAP_HOURS };
    return { changed: true, affected: 1, skipped: [], before: { secrets: valid }, after };
  });
  return { ...result, secret: result.replayed ? undefined : secret };
}
