/** What may be done to rows of an attached database, where its preset says that it is safe. */
export const ATTACHED_ACTS = ["requeue", "discard", "purge"] as const;
export type AttachedAct = (typeof ATTACHED_ACTS)[number];

/** Rows that one purge may delete. */
export const MAX_PURGED_ROWS = 500;
/** Batches of so many rows that one plan of a purge freezes; what is left is another plan. */
export const MAX_PURGE_BATCHES = 20;
/** The dry run of a purge begins no further batch after this, ms: it holds locks on the rows that it counts. */
export const PURGE_COUNT_MS = 3_000;
