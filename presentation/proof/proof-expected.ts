import { CONSOLE_ACTIONS, NONE, type KindExpectation } from "@/domain/operation-kind";
import type { ProofFacts } from "@/domain/checks/proof-facts";

/** What an operation of a kind leaves when it takes effect, with a sentence for each end. */
export interface ExpectedEffects extends KindExpectation {
  readonly once: string;
  readonly none: string;
  readonly doubt: string;
}

const ACTION: ExpectedEffects = {
  once: "The action ran once.",
  none: "The action did not run.",
  doubt: "The action has not ended yet.",
  event: NONE,
  entry: NONE,
};
const OTHER: ExpectedEffects = {
  once: "It ran once.",
  none: "It did not run.",
  doubt: "It is not known yet whether it ran.",
};

/** As its kind was registered; what was not registered is said and expected as of any operation. */
export function expectedEffects({ request, about }: Pick<ProofFacts, "request" | "about">): ExpectedEffects {
  return request.operation.startsWith(CONSOLE_ACTIONS) ? ACTION : { ...OTHER, ...about.expects };
}
