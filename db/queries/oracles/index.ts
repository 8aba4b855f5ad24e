import { ANSWER_ORACLES } from "./answers";
import type { Oracle } from "./oracle";
import { ROW_ORACLES } from "./rows";

/** All oracles, in the order of the study. */
export const ORACLES: readonly Oracle[] = [...ANSWER_ORACLES, ...ROW_ORACLES];
