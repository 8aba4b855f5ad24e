import { z } from "zod";
import { parseAmount } from "@/engine/index";

/** Version of the HTTP contract for who asks for none; part of every fingerprint. */
const API_VERSION = "2026-11-01";
/** The one after it: in its answers an amount and its currency are one member. It takes the same commands. */
export const MONEY_VERSION = "2026-11-15";
/** Version of the answers' shape; kept with each answer. */
const SCHEMA_VERSION = "v1";
const contract = (newer: string) => ({
  apiVersion: API_VERSION,
  schemaVersion: SCHEMA_VERSION,
  versions: { [API_VERSION]: SCHEMA_VERSION, [MONEY_VERSION]: newer },
});
/** Of operations whose answer has an amount. */
export const MONEY_CONTRACT = contract("v2");
/** Of the others: no version changed their answers. */
export const PLAIN_CONTRACT = contract(SCHEMA_VERSION);

/** Of routes without a key; those with one have it by their operation. */
export const readVersion = { "API-Version": z.enum([API_VERSION, MONEY_VERSION]).optional() };

/** Ids of the caller's own things: visible ASCII without spaces, so that they are safe in URLs, logs and tables. */
const callerId = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible ASCII characters");
const currency = z.string().regex(/^[A-Z]{3}$/, "three capital letters, ISO 4217");
const amount = z.union([z.string().max(20), z.int("an amount is a decimal string or a whole number of minor units")]);
const text = (max: number) => z.string().min(1).max(max);
const AMOUNT_RULE =
  'a positive amount: a decimal string such as "10.00", or a whole number of minor units such as 1000';

export interface CreatePaymentCommand {
  readonly accountId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly merchantReference: string | undefined;
  readonly channel: string;
}

/** `POST /payments`. Unknown members are refused, so a typing slip is never silently another command. */
export const paymentBody = z
  .strictObject({
    accountId: callerId,
    amount,
    currency,
    merchantReference: callerId.optional(),
    channel: text(32).default("web"),
  })
  .transform((body, context): CreatePaymentCommand => {
    const amountMinor = parseAmount(body.amount, body.currency);
    if (amountMinor === undefined) {
      context.addIssue({ code: "custom", path: ["amount"], message: AMOUNT_RULE });
      return z.NEVER;
    }
    const { accountId, merchantReference, channel } = body;
    return { accountId, amountMinor, currency: body.currency, merchantReference, channel };
  });

/** What a reader of the JSON has to know beside the schema: which members are amounts, and which have a default. */
export const createPaymentBody = { schema: paymentBody, amounts: ["amount"], defaulted: ["channel"] };

/** The amount stays as written until the payment's currency is known. */
export interface CreateRefundCommand {
  readonly paymentId: string;
  readonly amount: string | number;
  readonly reason: string | undefined;
}

/** `POST /refunds`; `charge_id` is accepted for `paymentId`. */
export const refundBody = z
  .strictObject({
    paymentId: z.uuid().optional(),
    charge_id: z.uuid().optional(),
    amount,
    reason: text(200).optional(),
  })
  .transform((body, context): CreateRefundCommand => {
    const paymentId = body.paymentId ?? body.charge_id;
    if (paymentId === undefined || (body.paymentId !== undefined && body.charge_id !== undefined)) {
      context.addIssue({ code: "custom", path: ["paymentId"], message: "name the payment once, as paymentId" });
      return z.NEVER;
    }
    // Which currencies have how many digits is checked again with the payment's own; this refuses what no currency allows.
    if (parseAmount(body.amount, "BHD") === undefined) {
      context.addIssue({ code: "custom", path: ["amount"], message: AMOUNT_RULE });
      return z.NEVER;
    }
    return { paymentId: paymentId.toLowerCase(), amount: body.amount, reason: body.reason };
  });

export const createRefundBody = { schema: refundBody, amounts: ["amount"] };

export interface VoidPaymentCommand {
  readonly paymentId: string;
}

/** `POST /payments/{id}/void` has no body of its own; an empty object is accepted. */
export const voidBody = z.strictObject({}).optional();

export interface CreateAccountCommand {
  readonly accountId: string;
  readonly currency: string;
  /** Where receipts go. */
  readonly email?: string | undefined;
}

const EMAIL_MAX = 254;
const email = z.email("an e-mail address").max(EMAIL_MAX);

/** `POST /accounts`; no receipts are sent without an address. */
export const accountBody = z.strictObject({ accountId: callerId, currency, email: email.optional() });

/** `PUT /accounts/{id}/settings/default-currency`. */
export const defaultCurrencyBody = z.strictObject({ currency });
