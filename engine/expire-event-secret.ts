import { eventSourceSecrets } from "@/db/queries/event-source-secrets";
import { expireEventSecret as expireRow } from "@/db/statements/expire-event-secret";
import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "./action-answer";
import type { EngineContext } from "./context";
import { OWN_SOURCE } from "./event-source";
import { operatorAction } from "./operator-action";

/**
 * Ends one secret of a source of signed events now instead of at the end of its overlap. Without any valid secret the source
 * is shut out; our own must keep one, because it signs with it.
 *
 * @throws AppError `auth.forbidden` 403, `event_source.secret_not_found` 404, `event_source.last_secret` 409
 */
export function expireEventSecret(
  ctx: EngineContext,
  click: Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">,
  of: { readonly source: string; readonly secretId: string },
): Promise<ActionResult> {
  const { tenantId } = ctx;
  const action: ActionRequest = {
    ...click,
    action: "event_sources.expire_secret",
    subject: { type: "event_source", id: of.source },
    input: { secretId: of.secretId },
  };
  return operatorAction(ctx, action, async (tx) => {
    const valid = await eventSourceSecrets(tx, tenantId, of.source);
    if (!valid.some((row) => row.secret_id === of.secretId)) {
      throw new AppError("event_source.secret_not_found", 404, "There is no such secret that is valid", {
        detail: "Nothing was changed.",
      });
    }
    if (of.source === OWN_SOURCE && valid.length === 1) {
      throw new AppError(
        "event_source.last_secret",
        409,
        "This is the last secret that our own messages are signed with",
        {
          detail: "Nothing was changed. Add another one first.",
        },
      );
    }
    const changed = await expireRow(tx, { tenantId, ...of });
    return {
      changed,
      affected: changed ? 1 : 0,
      skipped: changed ? [] : [{ id: of.secretId, why: "It had ended already." }],
      before: { secrets: valid.length },
      after: { secrets: valid.length - (changed ? 1 : 0), secretId: of.secretId },
    };
  });
}
