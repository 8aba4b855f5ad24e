import { AppError } from "@/domain/errors";
import type { InboxMessage, TransactionalConsumer } from "@/engine/inbox/consumer";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { notifyAccount } from "../notify";
import { currencyChangeData, eventEnvelope, type CurrencyChangeData } from "./event-data";
import { RECEIPT_KINDS } from "./receipts";

/**
 * Tells an account's holder that another currency is the default now. Goes by versions: a change that arrives after a
 * newer one is told to nobody, because what it says is not true any more.
 */
export const accountNoticesConsumer: TransactionalConsumer = {
  name: "account-notices",
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && type === "account.default_currency_changed",
  versionOf(message) {
    const { accountId, version } = changeOf(message);
    return { aggregate: `account/${accountId}`, version: BigInt(version) };
  },
  async handle(ctx, tx, message) {
    const { accountId, defaultCurrency, version } = changeOf(message);
    const kept = await notifyAccount(ctx, tx, message, {
      notificationKey: `notice_currency_${accountId}_${String(version)}`,
      kind: "notice",
      accountId,
      detail: { defaultCurrency },
    });
    return RECEIPT_KINDS[kept];
  },
};

/** @throws AppError `account_notices.malformed_event` 422 */
function changeOf(message: InboxMessage): CurrencyChangeData {
  const envelope = eventEnvelope.safeParse(message.payload);
  const parsed = currencyChangeData.safeParse(envelope.data?.data);
  if (parsed.success) return parsed.data;
  throw new AppError("account_notices.malformed_event", 422, "The event lacks what its consumer needs", {
    detail: `Missing or malformed: ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}`,
  });
}
