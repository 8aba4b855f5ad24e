import { v7 as uuidv7 } from "uuid";
import { addWebhookSecret, insertWebhookEndpoint } from "@/db/webhooks/webhook-endpoints";
import { AppError } from "@/domain/errors";
import type { ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { destinationProblem } from "@/engine/outbox/transports/safe-destination";
import type { EndpointActionRequest } from "./endpoint-action-request";
import { newWebhookSecret } from "@/engine/inbox/event-source";
import { sealEndpointSecret } from "@/engine/outbox/webhooks/endpoint-secret";
import { MAX_ENDPOINTS, ROTATION_OVERLAP_HOURS } from "@/engine/outbox/webhooks/limits";

export interface NewEndpoint {
  readonly url: string;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly description: string;
}

/** @property secret shown this once; a second click gets the same answer without it */
export type EndpointResult = ActionResult & { readonly secret: string | undefined };

/**
 * Makes an endpoint of this tenant with its first secret.
 *
 * @param options.allowPrivate WEBHOOK_ALLOW_PRIVATE
 * @throws AppError `auth.forbidden` 403, `validation.webhook_url` 422, `webhook_endpoint.exists` 409, `webhook_endpoint.limit` 409
 */
export async function createEndpoint(
  ctx: EngineContext,
  request: EndpointActionRequest,
  endpoint: NewEndpoint,
  options: { readonly allowPrivate: boolean },
): Promise<EndpointResult> {
  const url = usable(endpoint.url, options);
  const { types, description } = endpoint;
  const id = uuidv7();
  const secretId = uuidv7();
  const secret = newWebhookSecret();
  const { tenantId } = ctx;
  const result = await operatorAction(
    ctx,
    {
      ...request,
      action: "webhook_endpoints.create",
      subject: { type: "webhook_endpoint", id: url },
      input: { url, types: types.join(" "), description },
    },
    async (tx) => {
      const made = await insertWebhookEndpoint(tx, {
        tenantId,
        id,
        url,
        types,
        description,
        createdBy: ctx.actor.name,
        limit: MAX_ENDPOINTS,
      });
      if (made !== "created") throw refusal(made);
      await addWebhookSecret(tx, {
        tenantId,
        endpointId: id,
        secretId,
        sealed: sealEndpointSecret(ctx.keyring, { tenantId, endpointId: id, secretId }, secret),
        overlapHours: ROTATION_OVERLAP_HOURS,
      });
      const after = { id, url, types, description };
      return {
        changed: true,
        affected: 1,
        skipped: [],
        before: {},
        after,
        subject: { type: "webhook_endpoint", id },
      };
    },
  );
  return { ...result, secret: result.replayed ? undefined : secret };
}

/** @returns the address in one spelling */
function usable(text: string, options: { readonly allowPrivate: boolean }): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = url === undefined ? "It is not a whole URL." : destinationProblem(url, options);
  if (url === undefined || problem !== undefined) {
    throw new AppError("validation.webhook_url", 422, "Webhooks cannot be sent there", {
      detail: `${problem ?? ""} Nothing was made.`,
    });
  }
  url.hash = "";
  return url.toString();
}

function refusal(why: "exists" | "limit"): AppError {
  return why === "exists"
    ? new AppError("webhook_endpoint.exists", 409, "An endpoint with this address exists already", {
        detail: "Nothing was made. Change the existing one.",
      })
    : new AppError("webhook_endpoint.limit", 409, "The limit of endpoints is reached", {
        detail: `Nothing was made. A tenant has at most ${String(MAX_ENDPOINTS)}; delete one first.`,
      });
}
