/** Where a count beside a place of the navigation, and on its page, stops: "1,000+". In a file of its own: every page loads it. */
export const NAV_COUNTED = 1_000;
