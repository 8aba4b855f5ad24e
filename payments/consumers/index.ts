import { createConsumerRegistry, type ConsumerRegistry } from "@/engine/consumer";
import type { OperationRegistry } from "@/engine/operation";
import { ledgerConsumer } from "./ledger";
import { providerWebhookConsumer } from "./provider-webhook";
import { receiptsConsumer } from "./receipts";

/** Who takes which messages; whatever nobody subscribed to goes to `default`, which keeps it and does nothing. */
export function createConsumers(operations: OperationRegistry): ConsumerRegistry {
  return createConsumerRegistry([ledgerConsumer, receiptsConsumer, providerWebhookConsumer(operations)]);
}
