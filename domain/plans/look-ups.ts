/**
 * The dry run of a plan of reconciles asks the provider about each row before anybody agrees to it. A look-up settles nothing and moves no
 * money; what it learned is what the run would make of the row if the provider answers the same again. Pure.
 */

/** What a row would become, in the order in which it is told; `waiting`: its turn has not come. */
export const LOOK_UP_ANSWERS = ["completes", "fails", "frees", "unknown", "not_asked", "waiting"] as const;
export type LookUpAnswer = (typeof LOOK_UP_ANSWERS)[number];

/** `stopped`: the plan was started or ended before every row had its turn. */
export type LookUpState = "asking" | "asked" | "stopped";

/** Look-ups of one plan that are under way at once. */
export const LOOK_UPS_AT_ONCE = 5;
/** Rows of one turn, and how long the look-ups rest after it, ms: 20 a second at the most, however many workers run. */
export const LOOK_UPS_PER_TURN = 10;
export const LOOK_UP_REST_MS = 500;
/** After so long what has not been asked stays so, ms. */
export const LOOK_UPS_TOTAL_MS = 300_000;

/** What is kept of a row whose turn did not come in time. */
export const OUT_OF_TIME = `the look-ups stopped after ${String(LOOK_UPS_TOTAL_MS / 60_000)} minutes`;

/** How the outcome of a row ends that the run left out because its dry run found no final answer. */
export const LEFT_OUT = "Left out of the run.";

/** A final answer of the provider. */
export function isFinal(answer: LookUpAnswer | undefined): answer is "completes" | "fails" | "frees" {
  return answer === "completes" || answer === "fails" || answer === "frees";
}
