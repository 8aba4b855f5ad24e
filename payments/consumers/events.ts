import { z } from "zod";
import { AppError, type InboxMessage, parseAmount } from "@/engine/index";

/** Digits and nothing else: minor units. */
const minorUnits = z
  .union([z.string().regex(/^\d{1,18}$/), z.number().int().nonnegative()])
  .transform((value) => BigInt(value));

/** What the ledger needs of `payment.succeeded`, `refund.succeeded` and `payment.voided`; the amount in either notation. */
const moneyEventData = z
  .object({
    operationId: z.uuid(),
    paymentId: z.uuid().optional(),
    refundId: z.uuid().optional(),
    voidId: z.uuid().optional(),
    accountId: z.string().min(1),
    amount: z.string().optional(),
    amountMinor: minorUnits.optional(),
    currency: z.string().length(3),
  })
  .transform(({ amount, ...data }, context) => {
    const amountMinor = data.amountMinor ?? (amount === undefined ? undefined : parseAmount(amount, data.currency));
    if (amountMinor === undefined) {
      context.addIssue({ code: "custom", path: ["amount"], message: "an amount is needed" });
      return z.NEVER;
    }
    return { ...data, amountMinor };
  });

/** The envelope of our own events. */
const eventEnvelope = z.object({ type: z.string(), data: z.unknown() });

/** What is in the envelope, or what is missing in it. */
export function readEventData<Shape extends z.ZodType>(message: InboxMessage, shape: Shape) {
  const envelope = eventEnvelope.safeParse(message.payload);
  return shape.safeParse(envelope.data?.data);
}

/**
 * @param consumer for the error's code
 * @throws AppError `<consumer>.malformed_event` 422 naming the members that are missing
 */
export function eventData<Shape extends z.ZodType>(
  message: InboxMessage,
  shape: Shape,
  consumer: string,
): z.output<Shape> {
  const parsed = readEventData(message, shape);
  if (parsed.success) return parsed.data;
  throw malformed(
    consumer,
    parsed.error.issues.map((issue) => issue.path.join(".")),
  );
}

function malformed(consumer: string, names: readonly string[]): AppError {
  return new AppError(`${consumer}.malformed_event`, 422, "The event lacks what its consumer needs", {
    detail: `Missing or malformed: ${names.join(", ")}`,
  });
}

/** The one effect that an event is about, and the member of its data that names it. */
const EFFECTS = {
  "payment.succeeded": { effect: "payment", id: "paymentId" },
  "refund.succeeded": { effect: "refund", id: "refundId" },
  "payment.voided": { effect: "void", id: "voidId" },
} as const;

/** The one effect that an event of ours is about: what ledger entries and receipts are unique by. */
export interface MoneyEvent {
  readonly data: z.output<typeof moneyEventData>;
  readonly effect: "payment" | "refund" | "void";
  /** Of the payment, the refund or the void. */
  readonly sourceId: string;
}

/** @throws AppError `<consumer>.malformed_event` 422 naming the members that are missing, `<consumer>.unknown_event` 422 */
export function moneyEvent(message: InboxMessage, consumer: string): MoneyEvent {
  const data = eventData(message, moneyEventData, consumer);
  const { type } = message;
  if (!(type in EFFECTS))
    throw new AppError(`${consumer}.unknown_event`, 422, "This consumer does not know this type of event");
  const { effect, id } = EFFECTS[type as keyof typeof EFFECTS];
  const sourceId = data[id];
  if (sourceId === undefined) throw malformed(consumer, [id]);
  return { data, effect, sourceId };
}
