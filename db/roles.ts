/** What the processes are while they work: reads all, writes the business, changes a state only through the functions. */
export const APP_ROLE = "onceboard_app";
