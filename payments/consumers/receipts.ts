import { formatAmount, OWN_SOURCE, type TransactionalConsumer } from "@/engine/index";
import { notifyAccount, type Kept } from "../notify";
import { moneyEvent } from "./events";

const SUBSCRIBED = new Set(["payment.succeeded", "refund.succeeded"]);

/** What the inbox page says. */
export const RECEIPT_KINDS: Readonly<Record<Kept, string>> = {
  new: "ok",
  "kept already": "kept already",
  "no address": "kept, no address",
};

/**
 * Keeps one receipt per payment and refund as a durable row before anything is sent: were the message sent here and
 * marked afterwards, a crash between the two would send it twice or never. The relay sends it, from the outbox.
 */
export const receiptsConsumer: TransactionalConsumer = {
  name: "receipts",
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && SUBSCRIBED.has(type),
  async handle(ctx, tx, message) {
    const { effect, sourceId, data } = moneyEvent(message, "receipts");
    const { accountId, amountMinor, currency, operationId } = data;
    const kept = await notifyAccount(
      ctx,
      tx,
      { ...message, operationId },
      {
        notificationKey: `receipt_${effect}_${sourceId}`,
        kind: "receipt",
        accountId,
        detail: { effect, sourceId, amount: formatAmount(amountMinor, currency), currency },
      },
    );
    return RECEIPT_KINDS[kept];
  },
};
