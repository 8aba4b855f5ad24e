/** Endpoints of one tenant: each event is written once for every one of them. */
export const MAX_ENDPOINTS = 20;
/** How long both secrets are valid after a rotation, in hours: time for the merchant to take the new one. */
export const ROTATION_OVERLAP_HOURS = 24;
