import { createConsumerRegistry, type ConsumerRegistry } from "@/engine/inbox/consumer";
import type { OperationRegistry } from "@/engine/execute/operation";
import { accountNoticesConsumer } from "./account-notices";
import { ledgerConsumer } from "./ledger";
import { providerWebhookConsumer } from "./provider-webhook";
import { receiptsConsumer } from "./receipts";
import { webhooksConsumer } from "./webhooks";

/** Who takes which messages; whatever nobody subscribed to goes to `default`, which keeps it and does nothing. */
export function createConsumers(operations: OperationRegistry): ConsumerRegistry {
  return createConsumerRegistry([
    ledgerConsumer,
    receiptsConsumer,
    accountNoticesConsumer,
    webhooksConsumer,
    providerWebhookConsumer(operations),
  ]);
}
