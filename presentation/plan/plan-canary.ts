import { formatCount } from "../format/display-time";
import { times } from "../format/words";
import type { PlanCanary, PlanCanaryRow, PlanView } from "../views/plans";

export const canaryRows = ({ canary }: Pick<PlanView, "canary">): readonly PlanCanaryRow[] => canary?.rows ?? [];

export const unansweredCanaries = (plan: Pick<PlanView, "canary">): number =>
  canaryRows(plan).filter(({ answer }) => answer === undefined).length;

export const failedCanaries = (plan: Pick<PlanView, "canary">): number =>
  canaryRows(plan).filter(({ answer }) => answer === "died" || answer === "silent").length;

/** "The canary", "2 of 3 canaries". @param count of them that it is said of */
export function canariesWord(plan: Pick<PlanView, "canary">, count: number): string {
  const all = canaryRows(plan).length;
  if (all === 1) return "The canary";
  if (count === all && all === 2) return "Both canaries";
  return count === all ? `All ${formatCount(all)} canaries` : `${formatCount(count)} of ${formatCount(all)} canaries`;
}

/** What became of one canary, or since when it waits. */
export function canaryWords({ answer, detail, at, attempts, lastError, paused }: PlanCanaryRow): string {
  switch (answer) {
    case "delivered":
      return detail === "handled" ? "Handled." : "Delivered.";
    case "died":
      return `Died again: ${detail ?? "no reason was kept"}.`;
    case "silent":
      return `Did not come through: ${detail ?? "no answer"}.`;
    case undefined: {
      const tried = attempts === 0 ? "" : `, tried ${times(attempts)}, last error ${lastError ?? "lost"}`;
      return `Still waiting since ${at.slice(11, 19)} UTC${paused ? ", its topic is paused" : ""}${tried}.`;
    }
  }
}

/** What a person can do about a failed canary. */
export function canaryAdvice({ state }: PlanCanary): string | undefined {
  return state === "failed" ? "Look at why it failed, mend the cause, then plan the rest again." : undefined;
}
