import type { PlanResult } from "./plan-results";

/** Views of the rows of a plan. */
export const ITEM_TABS = [
  "all",
  "waiting",
  "done",
  "succeeded",
  "declined",
  "unknown",
  "settled",
  "skipped",
  "failed",
  "changed",
] as const;

/** The results of a row that a view of a plan's rows shows; each row is in exactly one of the views that a plan's page offers. */
export const SHOWN_RESULTS: Readonly<
  Record<Exclude<(typeof ITEM_TABS)[number], "all" | "changed">, readonly PlanResult[]>
> = {
  waiting: ["waiting"],
  done: ["done", "succeeded", "declined", "asked"],
  succeeded: ["succeeded"],
  declined: ["declined"],
  unknown: ["unknown"],
  settled: ["settled"],
  skipped: ["moved", "left"],
  failed: ["failed"],
};
