/** The consumer that posts entries to the ledger. */
export const LEDGER_CONSUMER = "ledger";
/** Events that it posts an entry for. Any other event leaves the ledger as it is. */
export const LEDGER_EVENTS = ["payment.succeeded", "refund.succeeded", "payment.voided"] as const;
