import type { Consumer, OperationRegistry } from "@/engine/index";
import { accountNoticesConsumer } from "./account-notices";
import { ledgerConsumer } from "./ledger";
import { providerWebhookConsumer } from "./provider-webhook";
import { receiptsConsumer } from "./receipts";

/** Who takes which messages. */
export function paymentConsumers(operations: OperationRegistry): readonly Consumer[] {
  return [ledgerConsumer, receiptsConsumer, accountNoticesConsumer, providerWebhookConsumer(operations)];
}
