/** The consumer that posts entries to the ledger. */
export const LEDGER_CONSUMER = "ledger";
