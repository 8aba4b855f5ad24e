/** Writes of the example business, for tests that make rows of it without its operations. */
export * from "@/payments/db/ledger-entries";
export * from "@/payments/db/payments";
export * from "@/payments/db/refunds";
