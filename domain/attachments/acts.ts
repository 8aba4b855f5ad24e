/** What may be done to rows of an attached database, where its preset says that it is safe. */
export const ATTACHED_ACTS = ["requeue", "discard", "purge"] as const;
export type AttachedAct = (typeof ATTACHED_ACTS)[number];

/** Rows that one purge may delete. */
export const MAX_PURGED_ROWS = 500;
