import type { ErrorEntry } from "@/engine/index";

/** Every code that this module refuses with. */
export const PAYMENT_ERRORS: Readonly<Record<string, ErrorEntry>> = {
  "payment.insufficient_funds": {
    status: 402,
    means: "Declined; where the policy binds refusals, this is the answer of the key.",
    category: "PROVIDER",
    names: { article: "INSUFFICIENT_FUNDS" },
  },
  "payment.declined": {
    status: 402,
    means: "Declined for another reason; declineCode says which.",
    category: "PROVIDER",
  },
  "payment.duplicate_reference": {
    status: 409,
    means: "A payment with this merchant reference exists already, made under another key; paymentId names it.",
    category: "PROVIDER",
    // The act is done already, under another key: the existing payment is named.
    names: { playbook: "PROVIDER.duplicate" },
  },
  "payment.not_settled": { status: 409, means: "The payment is not settled yet.", retryable: true },
  "payment.not_refundable": { status: 409, means: "The payment was declined or voided." },
  "payment.not_voidable": { status: 409, means: "The payment was declined, refunded or voided before." },
  "refund.exceeds_remaining": {
    status: 422,
    means: "More than the rest of the payment; remaining says how much that is.",
  },
  "refund.only_once": {
    status: 409,
    means: "The payment has a refund already and the policy allows one; refundId names it.",
  },
  "account.exists": { status: 409, means: "The account exists already." },
  "payment.not_found": { status: 404, means: "No such payment of this tenant." },
  "refund.not_found": { status: 404, means: "No such refund of this tenant." },
  "account.not_found": { status: 404, means: "No such account of this tenant." },
};

/** Of every call that the provider decides. */
export const PROVIDER_ERRORS = ["dependency.timeout", "dependency.refused", "transient.owner_lost"];
