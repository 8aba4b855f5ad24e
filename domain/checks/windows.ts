/** Hours back that a check of a tenant looks; what broke earlier was shown then. */
export const CHECK_HOURS = 24;

/** A lease that ended so long ago should have been taken over. */
export const STALE_MINUTES = 10;

/** Newest entries of the audit that each check links; the whole chain is verified on the audit page. */
export const AUDIT_LINKS = 500;
