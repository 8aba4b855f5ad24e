import { z } from "zod";
import { parseAmount } from "@/domain/money";

/** Digits and nothing else: minor units. */
const minorUnits = z
  .union([z.string().regex(/^\d{1,18}$/), z.number().int().nonnegative()])
  .transform((value) => BigInt(value));

/** What the ledger needs of `payment.succeeded`, `refund.succeeded` and `payment.voided`; the amount in either notation. */
export const moneyEventData = z
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

export type MoneyEventData = z.output<typeof moneyEventData>;

/** The envelope of our own events. */
export const eventEnvelope = z.object({ type: z.string(), data: z.unknown() });

/** What a provider's webhook must say about the object it is about. */
export const providerEventData = z.object({ providerKey: z.string().min(1), status: z.string() });

/** Of `account.default_currency_changed`; the version is the account's own, as in its ETag. */
export const currencyChangeData = z.object({
  accountId: z.string().min(1),
  defaultCurrency: z.string().length(3),
  version: z.int().positive(),
});

export type CurrencyChangeData = z.output<typeof currencyChangeData>;
