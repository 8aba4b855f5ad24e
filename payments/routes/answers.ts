import { z } from "zod";

// What callers are answered with.

const uuid = z.uuid();
const time = z.iso.datetime().describe("RFC 3339, UTC");
const decimal = z.string().meta({ description: "Decimal string with the currency's own digits", examples: ["10.00"] });

export const paymentAnswer = z
  .object({
    paymentId: uuid,
    status: z.enum(["pending", "succeeded", "failed", "voided"]),
    accountId: z.string(),
    amount: decimal,
    currency: z.string(),
    merchantReference: z.string().nullable(),
    channel: z.string(),
    createdAt: time,
    voidId: z.uuid().optional().describe("After a void"),
  })
  .meta({ id: "Payment" });

export const refundAnswer = z
  .object({
    refundId: uuid,
    paymentId: uuid,
    amount: decimal,
    currency: z.string(),
    status: z.enum(["pending", "succeeded", "failed"]),
    reason: z.string().nullable(),
    createdAt: time,
  })
  .meta({ id: "Refund" });

export const accountAnswer = z
  .object({ accountId: z.string(), currency: z.string(), defaultCurrency: z.string(), createdAt: time })
  .meta({ id: "Account" });
