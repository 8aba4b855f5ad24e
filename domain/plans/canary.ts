/**
 * A plan that requeues many messages lets one go first at each of its destinations, and the rest only when all of these came through. Pure.
 */

/** `due`: canaries go first, or have no answer yet; `true`: all came through; `failed`: the plan stopped. */
export type CanaryState = "due" | "true" | "failed";

/** `silent`: it had not come through when the wait was over, or somebody took it away. */
export type CanaryAnswer = "delivered" | "died" | "silent";

/** Rows that would be requeued from which canaries go first; fewer are few enough to be the canary themselves. */
export const CANARY_FROM = 5;
/** So long a canary may wait for its answer, ms; then the plan stops. */
export const CANARY_WAIT_MS = 900_000;
/** Between two looks at a canary, ms. */
export const CANARY_REST_MS = 1_000;

/** Who stops a plan whose canary failed. */
export const PLAN_CANARY_BY = "system:canary";
