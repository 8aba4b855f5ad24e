import { AppError } from "@/domain/errors";
import type { InboxMessage } from "@/engine/inbox/consumer";
import { eventEnvelope, moneyEventData, type MoneyEventData } from "./event-data";

/** The one effect that an event of ours is about: what ledger entries and receipts are unique by. */
export interface MoneyEvent {
  readonly data: MoneyEventData;
  readonly effect: "payment" | "refund" | "void";
  /** Of the payment, the refund or the void. */
  readonly sourceId: string;
}

/**
 * @param consumer for the error's code
 * @throws AppError `<consumer>.malformed_event` 422 naming the members that are missing, `<consumer>.unknown_event` 422
 */
export function moneyEvent(message: InboxMessage, consumer: string): MoneyEvent {
  const envelope = eventEnvelope.safeParse(message.payload);
  const parsed = moneyEventData.safeParse(envelope.data?.data);
  if (!parsed.success)
    throw malformed(
      consumer,
      parsed.error.issues.map((issue) => issue.path.join(".")),
    );
  const { data } = parsed;
  const about = (effect: MoneyEvent["effect"], id: string | undefined, name: string): MoneyEvent => {
    if (id === undefined) throw malformed(consumer, [name]);
    return { data, effect, sourceId: id };
  };
  switch (message.type) {
    case "payment.succeeded":
      return about("payment", data.paymentId, "paymentId");
    case "refund.succeeded":
      return about("refund", data.refundId, "refundId");
    case "payment.voided":
      return about("void", data.voidId, "voidId");
    default:
      throw new AppError(`${consumer}.unknown_event`, 422, "This consumer does not know this type of event");
  }
}

function malformed(consumer: string, names: readonly string[]): AppError {
  return new AppError(`${consumer}.malformed_event`, 422, "The event lacks what its consumer needs", {
    detail: `Missing or malformed: ${names.join(", ")}`,
  });
}
