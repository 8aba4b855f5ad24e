/** States of an attached database's rows are counted so often, ms. */
export const SAMPLE_EVERY_MS = 300_000;
export const SAMPLES_KEPT_DAYS = 30;
/** Samples of one measure that one step deletes. */
export const SAMPLES_DELETED_AT_ONCE = 500;
/** That a list of an attached database was cut off is kept so often, by each process, ms. */
export const CUT_OFF_KEPT_EVERY_MS = 60_000;
/** The page of an attachment names what was cut off within this, ms. */
export const CUT_OFF_SHOWN_MS = 86_400_000;
/** A search waits so long for one attached database, ms. */
export const FIND_LIMIT_MS = 2_000;
/** Rows that a search takes of one column of one list. */
export const FOUND_OF_A_COLUMN = 5;
/** Longest cursor that is looked at, characters: a key that a list is ordered by may have 2,700 bytes. */
export const MAX_SOURCE_CURSOR = 8_000;
/** A row that is in flight and says no end of a lock is shown as old after this, ms. */
export const OLD_IN_FLIGHT_MS = 900_000;
/** Rows in flight that a page shows of one list, the oldest; it says how many there are in all. */
export const IN_FLIGHT_SHOWN = 100;
/** Rows of a file of a list of an attached database, fewer than of ours: each page of it is a statement on somebody else's tables. */
export const EXPORTED_ROWS = 10_000;
/** Rows of it that one statement reads. */
export const EXPORTED_AT_ONCE = 500;
/** An attached database is asked for newer rows so often by one process, whoever looks, ms. */
export const WATCH_EVERY_MS = 15_000;
/** Longest wait while it does not answer, ms. */
export const WATCH_BACKOFF_MS = 300_000;
/** A list that nobody asked about for so long is not on a screen any more, ms: a page that nobody touches asks twice a minute. */
export const WATCHED_FOR_MS = 60_000;
/** Lists that one process watches. */
export const MAX_WATCHED = 200;
/** Newer rows are counted so far. */
export const NEWER_COUNTED = 50;
