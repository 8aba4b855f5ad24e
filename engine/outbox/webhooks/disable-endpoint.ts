import { inTransaction } from "@/db/transaction";
import { setWebhookEndpointState } from "@/db/webhooks/webhook-endpoints";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "../../context";
import { webhookTopic } from "./topic";

/**
 * Disables an endpoint by the system, with an audit entry in the same transaction. The delivery is over whether or not this can be
 * written down; the next one tries again.
 * @param reason kept in the audit, where a person finds why the endpoint rests
 */
export async function disableEndpoint(ctx: EngineContext, endpointId: string, reason: string): Promise<void> {
  try {
    await inTransaction(ctx.db, async (tx) => {
      if (!(await setWebhookEndpointState(tx, { tenantId: ctx.tenantId, id: endpointId, disabled: true }))) return;
      await audit(ctx, tx, {
        action: "webhook_endpoints.disable",
        subject: { type: "webhook_endpoint", id: endpointId },
        reason,
        before: { disabled: false },
        after: { disabled: true },
      });
    });
  } catch (error) {
    ctx.log.warn({ err: error, topic: webhookTopic(endpointId), reason }, "an endpoint could not be disabled");
  }
}
