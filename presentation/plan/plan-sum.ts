import { formatCount } from "../format/display-time";
import { resultParts } from "./plan-results";
import type { PlanView } from "../views/plans";

/** Plan against outcome as one sum that adds up: every frozen row is counted once. */
export function reconciliation({ total, kind, results }: PlanView): string {
  const parts = resultParts(results, kind, true).map(({ count, word }) => `${formatCount(count)} ${word}`);
  return `${formatCount(total)} frozen = ${parts.join(" + ")}.`;
}
