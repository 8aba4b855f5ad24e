/** Commands of the example business; `account` is the local path, the others cross to the provider. */
export const CRASH_OPERATIONS = ["payment", "refund", "void", "account"] as const;
export type OperationName = (typeof CRASH_OPERATIONS)[number];
