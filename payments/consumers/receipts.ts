import { v7 as uuidv7 } from "uuid";
import { insertNotification } from "@/db/statements/insert-notification";
import { formatAmount } from "@/domain/money";
import type { TransactionalConsumer } from "@/engine/consumer";
import { OWN_SOURCE } from "@/engine/event-source";
import { moneyEvent } from "./money-event";

const SUBSCRIBED = new Set(["payment.succeeded", "refund.succeeded"]);

/**
 * Keeps one receipt per payment and refund as a durable row before anything is sent (S4.10): were the message sent here and
 * marked afterwards, a crash between the two would send it twice or never.
 */
export const receiptsConsumer: TransactionalConsumer = {
  name: "receipts",
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && SUBSCRIBED.has(type),
  async handle(ctx, tx, message) {
    const { effect, sourceId, data } = moneyEvent(message, "receipts");
    const { accountId, amountMinor, currency, operationId } = data;
    const kept = await insertNotification(tx, {
      tenantId: ctx.tenantId,
      id: uuidv7(),
      notificationKey: `receipt_${effect}_${sourceId}`,
      operationId,
      kind: "receipt",
      detail: { accountId, effect, sourceId, amount: formatAmount(amountMinor, currency), currency },
    });
    return kept ? "ok" : "kept already";
  },
};
