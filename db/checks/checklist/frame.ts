/** Hours back that the checklist looks; what went wrong earlier was shown then. */
export const CHECKLIST_HOURS = 24;
/** Rows of each kind that it looks at, the newest ones; beyond it a line says "of the newest". */
export const CHECKLIST_ROWS = 5_000;
/** Things that are named behind a line. */
export const CHECKLIST_SAMPLES = 3;

export const SINCE = `(now() - interval '${String(CHECKLIST_HOURS)} hours')`;
/** Ids begin with their time (UUIDv7): the primary key leads to the newest rows without an index on a time. */
export const ID_SINCE = `(lpad(to_hex(floor(extract(epoch from ${SINCE}) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid`;
/** By the UTC day of a partition. */
export const DAY_SINCE = `(${SINCE} at time zone 'utc')::date`;
