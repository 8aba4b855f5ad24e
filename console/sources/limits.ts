/** States of an attached database's rows are counted so often, ms. */
export const SAMPLE_EVERY_MS = 300_000;
export const SAMPLES_KEPT_DAYS = 30;
/** Samples of one measure that one step deletes. */
export const SAMPLES_DELETED_AT_ONCE = 500;
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
