import { z } from "zod";

/** Digits and nothing else: minor units. */
const minorUnits = z
  .union([z.string().regex(/^\d{1,18}$/), z.number().int().nonnegative()])
  .transform((value) => BigInt(value));

/** What the ledger needs of `payment.succeeded`, `refund.succeeded` and `payment.voided`. */
export const moneyEventData = z.object({
  operationId: z.uuid(),
  paymentId: z.uuid().optional(),
  refundId: z.uuid().optional(),
  voidId: z.uuid().optional(),
  accountId: z.string().min(1),
  amountMinor: minorUnits,
  currency: z.string().length(3),
});

export type MoneyEventData = z.output<typeof moneyEventData>;

/** The envelope of our own events. */
export const eventEnvelope = z.object({ type: z.string(), data: z.unknown() });

/** What a provider's webhook must say about the object it is about. */
export const providerEventData = z.object({ providerKey: z.string().min(1), status: z.string() });
