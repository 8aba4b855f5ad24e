import { setWebhookEndpointState } from "@/db/webhooks/webhook-endpoints";
import { inTransaction } from "@/db/transaction";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";

/** Kept in the audit, where a person finds why the endpoint rests. */
export const GONE_REASON = "The endpoint answered 410 Gone.";

/** Disables an endpoint that said it wants nothing any more, with an audit entry of the system in the same transaction. */
export async function endpointIsGone(ctx: EngineContext, endpointId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await setWebhookEndpointState(tx, { tenantId: ctx.tenantId, id: endpointId, disabled: true }))) return;
    await audit(ctx, tx, {
      action: "webhook_endpoints.disable",
      subject: { type: "webhook_endpoint", id: endpointId },
      reason: GONE_REASON,
      before: { disabled: false },
      after: { disabled: true },
    });
  });
}
