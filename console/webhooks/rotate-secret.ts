import { v7 as uuidv7 } from "uuid";
import { webhookTarget, WEBHOOK_SECRETS_LIMIT } from "@/db/webhooks/endpoint-facts";
import { addWebhookSecret } from "@/db/webhooks/webhook-endpoints";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EndpointActionRequest } from "./endpoint-action-request";
import type { EndpointResult } from "./create-endpoint";
import { newWebhookSecret } from "@/engine/inbox/event-source";
import { sealEndpointSecret } from "@/engine/outbox/webhooks/endpoint-secret";
import { requireEndpoint } from "./require-endpoint";
import { ROTATION_OVERLAP_HOURS } from "@/engine/outbox/webhooks/limits";

/**
 * Gives an endpoint a new secret; the ones before stay valid for ROTATION_OVERLAP_HOURS, and every delivery until then carries
 * a signature by each, so a receiver that knows either accepts it.
 *
 * @throws AppError `auth.forbidden` 403, `webhook_endpoint.not_found` 404, `webhook_endpoint.secrets` 409 when several overlap already
 */
export async function rotateSecret(
  ctx: EngineContext,
  request: EndpointActionRequest,
  id: string,
): Promise<EndpointResult> {
  const { tenantId } = ctx;
  const secretId = uuidv7();
  const secret = newWebhookSecret();
  const result = await operatorAction(
    ctx,
    {
      ...request,
      action: "webhook_endpoints.rotate_secret",
      subject: { type: "webhook_endpoint", id },
      input: {},
    },
    async (tx) => {
      await requireEndpoint(tx, ctx, id);
      const secrets = (await webhookTarget(tx, tenantId, id))?.secrets.length ?? 0;
      if (secrets >= WEBHOOK_SECRETS_LIMIT) {
        throw new AppError("webhook_endpoint.secrets", 409, "The limit of valid secrets is reached", {
          detail: "Nothing was changed. Wait until an older one expires.",
        });
      }
      await addWebhookSecret(tx, {
        tenantId,
        endpointId: id,
        secretId,
        sealed: sealEndpointSecret(ctx.keyring, { tenantId, endpointId: id, secretId }, secret),
        overlapHours: ROTATION_OVERLAP_HOURS,
      });
      const after = { secrets: secrets + 1, overlapHours: ROTATION_OVERLAP_HOURS };
      return { changed: true, affected: 1, skipped: [], before: { secrets }, after };
    },
  );
  return { ...result, secret: result.replayed ? undefined : secret };
}
