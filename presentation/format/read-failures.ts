/** What is said of a page that could not be read, by the code of its error. */
export const READ_FAILURES: Readonly<Record<string, string>> = {
  "dependency.unavailable": "The database cannot be reached or did not answer in time.",
  "dependency.timeout": "The database took too long and the read was stopped.",
  "validation.cursor": "The address names no place in this list.",
};
