import { firstWords, type PageClaim } from "@/domain/page-claim";
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

/** What became of one canary: the first that holds. */
export const CANARY_CLAIMS: readonly PageClaim<PlanCanaryRow>[] = [
  {
    name: "handled",
    holds: ({ answer, detail }) => answer === "delivered" && detail === "handled",
    words: () => "Handled.",
  },
  { name: "delivered", holds: ({ answer }) => answer === "delivered", words: () => "Delivered." },
  {
    name: "died again",
    holds: ({ answer }) => answer === "died",
    words: ({ detail }) => `Died again: ${detail ?? "no reason was kept"}.`,
  },
  {
    name: "did not come through",
    holds: ({ answer }) => answer === "silent",
    words: ({ detail }) => `Did not come through: ${detail ?? "no answer"}.`,
  },
  {
    name: "waits",
    holds: ({ answer }) => answer === undefined,
    words: ({ at, paused, attempts, lastError }) => {
      const tried = attempts === 0 ? "" : `, tried ${times(attempts)}, last error ${lastError ?? "lost"}`;
      return `Still waiting since ${at.slice(11, 19)} UTC${paused ? ", its topic is paused" : ""}${tried}.`;
    },
  },
];

/** What became of one canary, or since when it waits. */
export function canaryWords(row: PlanCanaryRow): string {
  return firstWords(CANARY_CLAIMS, row);
}

/** What a person can do about a failed canary. */
export function canaryAdvice({ state }: PlanCanary): string | undefined {
  return state === "failed" ? "Look at why it failed, mend the cause, then plan the rest again." : undefined;
}
