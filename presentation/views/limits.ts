/** Rows in doubt on the overview; the rest is behind the link to the queue. */
export const OVERVIEW_ROWS = 6;
