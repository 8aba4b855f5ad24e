import { z } from "zod";
import {
  AppError,
  type IdempotentConsumer,
  OPEN_STATES,
  operationByProviderKey,
  type OperationRegistry,
  PostponeError,
  reconcileOperation,
} from "@/engine/index";
import { readEventData } from "./events";

/** What a provider's webhook must say about the object it is about. */
const providerEventData = z.object({ providerKey: z.string().min(1), status: z.string() });
/** Sources whose webhooks come from the payment provider. */
const PROVIDER_SOURCES = new Set(["provider", "sandbox"]);
/** Look again after this while an owner holds the lease. */
const LEASED_WAIT_MS = 2_000;

/**
 * A webhook is a hint, never a verdict: it makes us ask the provider by our own key, now, when the operation is open. It
 * never overrides an owner whose lease is live.
 */
export function providerWebhookConsumer(registry: OperationRegistry): IdempotentConsumer {
  return {
    name: "provider-webhook",
    path: "idempotent",
    subscribes: (source) => PROVIDER_SOURCES.has(source),
    async handle(ctx, message) {
      const data = readEventData(message, providerEventData);
      if (!data.success) throw new AppError("webhook.malformed", 422, "The webhook names no provider key");
      const operation = await operationByProviderKey(ctx.db.pool, ctx.tenantId, data.data.providerKey);
      if (operation === undefined) return "not ours";
      if (!OPEN_STATES.includes(operation.state)) return "already settled";
      if (operation.leased) throw new PostponeError("its owner holds the lease", LEASED_WAIT_MS);
      try {
        const result = await reconcileOperation(ctx, registry, { operationId: operation.operation_id });
        return `asked: ${result.finding}`;
      } catch (error) {
        // Settled, or taken over, between our look and our claim: the next look tells which.
        if (error instanceof AppError && error.code === "operation.not_open") {
          throw new PostponeError("it moved meanwhile", LEASED_WAIT_MS);
        }
        throw error;
      }
    },
  };
}
