import { z } from "zod";
import { OWN_SOURCE, type TransactionalConsumer } from "@/engine/index";
import { notifyAccount } from "../notify";
import { eventData } from "./events";
import { RECEIPT_KINDS } from "./receipts";

/** Of `account.default_currency_changed`; the version is the account's own, as in its ETag. */
const currencyChangeData = z.object({
  accountId: z.string().min(1),
  defaultCurrency: z.string().length(3),
  version: z.int().positive(),
});
const CONSUMER = "account_notices";

/**
 * Tells an account's holder that another currency is the default now. Goes by versions: a change that arrives after a
 * newer one is sent to nobody, because what it says is not true any more.
 */
export const accountNoticesConsumer: TransactionalConsumer = {
  name: "account-notices",
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && type === "account.default_currency_changed",
  versionOf(message) {
    const { accountId, version } = eventData(message, currencyChangeData, CONSUMER);
    return { aggregate: `account/${accountId}`, version: BigInt(version) };
  },
  async handle(ctx, tx, message) {
    const { accountId, defaultCurrency, version } = eventData(message, currencyChangeData, CONSUMER);
    const kept = await notifyAccount(ctx, tx, message, {
      notificationKey: `notice_currency_${accountId}_${String(version)}`,
      kind: "notice",
      accountId,
      detail: { defaultCurrency },
    });
    return RECEIPT_KINDS[kept];
  },
};
