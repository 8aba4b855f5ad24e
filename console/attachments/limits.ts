/** Attached databases of one tenant: each has connections of its own in every process that shows pages. */
export const MAX_ATTACHMENTS = 10;
/** Attached databases that one process holds connections to at a time; the one that was used longest ago is closed first. */
export const MAX_OPEN_DATABASES = 20;
/** What an installation says of itself is read again after this, ms. */
export const MANIFEST_KEPT_MS = 30_000;
/** What is read of an attachment to say whether it can be reached, ms. */
export const REACH_MS = 3_000;
/** Attachments of a list that are asked at once. */
export const REACHED_AT_ONCE = 4;
/** Looks at databases that nobody attached yet, in one process: each connects to where a person says. */
export const MAX_LOOKS = 2;
/** Of one look, ms; its statements have limits of their own. */
export const LOOK_MS = 20_000;
/** Rows of a preview. */
export const PREVIEW_ROWS = 10;
/** Names of tables that are offered to be mapped by hand. */
export const MAX_TABLES_NAMED = 500;
/** Tables made by hand, and near misses, that are named. */
export const MAX_GUESSES = 50;
/** What the page of a plan waits for, where it asks an attached database about rows that are left, ms. */
export const JUDGE_AGAIN_MS = 1_500;
