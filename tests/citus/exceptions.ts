const TOGETHER = "what is in the process at once goes in one statement, whoever's it is; each row names its tenant";

/** Functions and named statements that reach the rows of several tenants, and why they may. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  drop_partitions: "a day is dropped for everybody, by the worker",
  mark_restored: "a person says once that the whole database was restored",
  receive_all: TOGETHER,
  record_events: TOGETHER,
  record_refusals: TOGETHER,
  tenants_of_event_source: "an event of a provider names no tenant: it is looked for by its source, among few rows",
};
