import type { Queryable } from "@/db/client";
import { webhookEndpointForChange, type WebhookEndpointRow } from "@/db/webhooks/endpoint-facts";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";

/** @throws AppError `webhook_endpoint.not_found` 404 */
export async function requireEndpoint(
  tx: Queryable,
  ctx: Pick<EngineContext, "tenantId">,
  id: string,
): Promise<WebhookEndpointRow> {
  const row = await webhookEndpointForChange(tx, ctx.tenantId, id);
  if (row !== undefined) return row;
  throw new AppError("webhook_endpoint.not_found", 404, "There is no such endpoint", {
    detail: "Nothing was changed.",
  });
}
