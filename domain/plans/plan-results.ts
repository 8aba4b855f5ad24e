/**
 * What became of a row of a plan, closer than its state: whether a reconciled operation was settled and how, or is still unknown, and
 * whether a row was left alone from the beginning or because it moved since. In the order in which they are told. Pure.
 */
export const PLAN_RESULTS = ["succeeded", "declined", "done", "unknown", "moved", "failed", "waiting", "left"] as const;

export type PlanResult = (typeof PLAN_RESULTS)[number];

/** Outcomes that a reconciled row ends with; its result is read from them. */
export const SETTLED_SUCCEEDED = "Settled: it succeeded.";

export const SETTLED_DECLINED = "Settled: it was declined.";

/** How the outcome of a row begins whose provider was asked and gave no final answer. */
export const STILL_UNKNOWN = "Asked, still unknown";
