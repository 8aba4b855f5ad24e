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

/** Of 2026-11-15 on. */
const money = z.object({ value: decimal, currency: z.string() }).meta({ id: "Money" });

export const paymentMoneyAnswer = paymentAnswer
  .omit({ status: true, currency: true })
  .extend({ state: paymentAnswer.shape.status, amount: money })
  .meta({ id: "PaymentV2" });

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

export const refundMoneyAnswer = refundAnswer
  .omit({ status: true, currency: true })
  .extend({ state: refundAnswer.shape.status, amount: money })
  .meta({ id: "RefundV2" });

/** By the version that was asked for. */
export const anyPayment = z.union([paymentAnswer, paymentMoneyAnswer]);
export const anyRefund = z.union([refundAnswer, refundMoneyAnswer]);

export const accountAnswer = z
  .object({ accountId: z.string(), currency: z.string(), defaultCurrency: z.string(), createdAt: time })
  .meta({ id: "Account" });
