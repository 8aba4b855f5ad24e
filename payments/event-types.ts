import type { EventEntry } from "@/engine/index";

/** What we tell the world of, and what an endpoint may ask for. */
export const EVENTS = {
  "payment.succeeded": { effectId: "paymentId" },
  "payment.voided": { effectId: "voidId" },
  "refund.succeeded": { effectId: "refundId" },
  "account.opened": { effectId: "accountId" },
  "account.default_currency_changed": {},
} as const satisfies Readonly<Record<string, EventEntry>>;

/** @param aggregate of an event @returns where it is published */
export function topicOf(aggregate: { readonly type: string }): "accounts" | "payments" {
  return aggregate.type === "account" ? "accounts" : "payments";
}
