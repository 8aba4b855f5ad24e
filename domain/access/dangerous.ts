import { ACTIONS, needsConfirmation } from "./permission";

/** Beside what asks a person to prove who they are: decisions of a second person and what they set going, and people made on the command line. */
const ALSO = [
  "plans.decide",
  "plans.start",
  "operations.release",
  "operators.create",
  "operators.change",
  "operators.join",
] as const;

/**
 * What leaves a checkpoint at once, and not only at the next interval: the one list of dangerous acts.
 * Every action that needs a step-up is one.
 */
export const DANGEROUS_ACTIONS: readonly string[] = [...new Set([...ACTIONS.filter(needsConfirmation), ...ALSO])];
