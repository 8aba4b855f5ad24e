import { v7 as uuidv7 } from "uuid";
import { insertLedgerEntry, type LedgerEntry } from "@/db/statements/insert-ledger-entry";
import { AppError } from "@/domain/errors";
import type { InboxMessage, TransactionalConsumer } from "@/engine/consumer";
import type { EngineContext } from "@/engine/context";
import { OWN_SOURCE } from "@/engine/event-source";
import { eventEnvelope, moneyEventData, type MoneyEventData } from "./event-data";

const SUBSCRIBED = new Set(["payment.succeeded", "refund.succeeded", "payment.voided", "account.opened"]);

/** Posts one entry per payment, refund and void, whatever arrives how often (S4.10). */
export const ledgerConsumer: TransactionalConsumer = {
  name: "ledger",
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && SUBSCRIBED.has(type),
  async handle(ctx, tx, message) {
    if (message.type === "account.opened") return "ignored";
    const posted = await insertLedgerEntry(tx, entryOf(ctx, message));
    return posted ? "ok" : "already posted";
  },
};

function entryOf(ctx: EngineContext, message: InboxMessage): LedgerEntry {
  const envelope = eventEnvelope.safeParse(message.payload);
  const data = moneyEventData.safeParse(envelope.data?.data);
  if (!data.success) throw malformed(data.error.issues.map((issue) => issue.path.join(".")));
  const { entryType, sourceId, incoming } = causeOf(message.type, data.data);
  const customer = `customer:${data.data.accountId}`;
  const merchant = `merchant:${ctx.tenantId}`;
  return {
    tenantId: ctx.tenantId,
    id: uuidv7(),
    entryType,
    sourceId,
    operationId: data.data.operationId,
    debitAccount: incoming ? customer : merchant,
    creditAccount: incoming ? merchant : customer,
    amountMinor: data.data.amountMinor,
    currency: data.data.currency,
  };
}

/** A payment moves money from the customer to the merchant; a refund and a void move it back. */
function causeOf(
  type: string,
  data: MoneyEventData,
): { entryType: LedgerEntry["entryType"]; sourceId: string; incoming: boolean } {
  switch (type) {
    case "payment.succeeded":
      return { entryType: "payment", sourceId: needed(data.paymentId, "paymentId"), incoming: true };
    case "refund.succeeded":
      return { entryType: "refund", sourceId: needed(data.refundId, "refundId"), incoming: false };
    case "payment.voided":
      return { entryType: "void", sourceId: needed(data.voidId, "voidId"), incoming: false };
    default:
      throw new AppError("ledger.unknown_event", 422, "The ledger does not know this type of event");
  }
}

function needed(id: string | undefined, name: string): string {
  if (id === undefined) throw malformed([name]);
  return id;
}

function malformed(names: readonly string[]): AppError {
  return new AppError("ledger.malformed_event", 422, "The event lacks what the ledger needs", {
    detail: `Missing or malformed: ${names.join(", ")}`,
  });
}
