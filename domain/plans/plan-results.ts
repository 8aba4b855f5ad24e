/**
 * What became of a row of a plan, closer than its state: whether a reconciled operation was settled and how, or stayed unknown,
 * whether somebody else had settled it before its turn, and whether a row was left alone from the beginning or because it changed since.
 * In the order in which they are told. Pure.
 */
export const PLAN_RESULTS = [
  "succeeded",
  "declined",
  "done",
  "closed",
  "asked",
  "unknown",
  "settled",
  "moved",
  "failed",
  "waiting",
  "left",
] as const;

export type PlanResult = (typeof PLAN_RESULTS)[number];

/** Outcomes that a reconciled row ends with; its result is read from them. */
export const SETTLED_SUCCEEDED = "Settled: it succeeded.";

export const SETTLED_DECLINED = "Settled: it was declined.";

/** How the outcome of a requeue begins that a consumer holds already: nothing of it was sent. */
export const CLOSED_AS_DELIVERED = "Closed as delivered";

/** Outcome of a decision that its service was asked to carry out: it settles, or says why not. */
export const ASKED_OF_SERVICE = "Asked of its service.";

/** How the outcome of a row begins whose provider was asked and gave no final answer. */
export const STILL_UNKNOWN = "Asked, still unknown";

/** How the outcome of a row begins that somebody else had settled before its turn. */
export const SETTLED_MEANWHILE = "Settled meanwhile";

/** What earlier releases wrote into such a row. */
export const SETTLED_MEANWHILE_BEFORE: readonly string[] = [
  "Its outcome is known.",
  "No body of it is stored any more.",
];
