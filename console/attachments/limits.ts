/** Attached databases of one tenant: each has connections of its own in every process that shows pages. */
export const MAX_ATTACHMENTS = 10;
/** Attached databases that one process holds connections to at a time; the one that was used longest ago is closed first. */
export const MAX_OPEN_DATABASES = 20;
/** What an installation says of itself is read again after this, ms. */
export const MANIFEST_KEPT_MS = 30_000;
