import { v7 as uuidv7 } from "uuid";
import { insertLedgerEntry, type LedgerEntry } from "../db/ledger-entries";
import {
  type EngineContext,
  type InboxMessage,
  LEDGER_CONSUMER,
  OWN_SOURCE,
  type TransactionalConsumer,
} from "@/engine/index";
import { moneyEvent } from "./events";

/** Events that it posts an entry for. Any other event leaves the ledger as it is. */
const LEDGER_EVENTS = ["payment.succeeded", "refund.succeeded", "payment.voided"];
const SUBSCRIBED = new Set([...LEDGER_EVENTS, "account.opened"]);

/** Posts one entry per payment, refund and void, whatever arrives how often. */
export const ledgerConsumer: TransactionalConsumer = {
  name: LEDGER_CONSUMER,
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && SUBSCRIBED.has(type),
  async handle(ctx, tx, message) {
    if (message.type === "account.opened") return "ignored";
    const posted = await insertLedgerEntry(tx, entryOf(ctx, message));
    return posted ? "ok" : "already posted";
  },
};

/** A payment moves money from the customer to the merchant; a refund and a void move it back. */
function entryOf(ctx: EngineContext, message: InboxMessage): LedgerEntry {
  const { data, effect, sourceId } = moneyEvent(message, "ledger");
  const customer = `customer:${data.accountId}`;
  const merchant = `merchant:${ctx.tenantId}`;
  const incoming = effect === "payment";
  return {
    tenantId: ctx.tenantId,
    id: uuidv7(),
    entryType: effect,
    sourceId,
    operationId: data.operationId,
    debitAccount: incoming ? customer : merchant,
    creditAccount: incoming ? merchant : customer,
    amountMinor: data.amountMinor,
    currency: data.currency,
  };
}
