/** Destinations of one tenant: each alert is written once for every one of them. */
export const MAX_ALERT_DESTINATIONS = 10;
