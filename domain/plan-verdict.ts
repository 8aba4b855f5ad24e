import { formatCount } from "./display-time";
import { KIND_DONE, KIND_EFFECTS } from "./plan-words";
import type { PlanView } from "./views/plans";
import type { VerdictClause } from "./views/common";

/** The sentence that a plan's page opens with: what it would do, what it does, what it did. */
export function planVerdict(plan: PlanView): readonly VerdictClause[] {
  const { counts, acting, total } = plan;
  const skipping = total - acting;
  const fine = (text: string): VerdictClause => ({ text, tone: "fine" });
  const doubt = (text: string): VerdictClause => ({ text, tone: "doubt" });
  const left = skipping === 0 ? [] : [doubt(`${formatCount(skipping)} ${skipping === 1 ? "is" : "are"} left alone.`)];
  const ended = acting - counts.waiting;
  const failed: VerdictClause[] =
    counts.failed === 0 ? [] : [{ text: `${formatCount(counts.failed)} failed.`, tone: "broken" }];
  switch (plan.state) {
    case "ready":
    case "awaiting_approval":
      return [
        fine(`${formatCount(total)} frozen. ${formatCount(acting)} would be ${KIND_EFFECTS[plan.kind]}${worth(plan)}.`),
        ...left,
        ...(plan.kind === "reconcile_operations" ? [fine("No money is sent.")] : []),
        plan.state === "ready" ? fine("Nothing has acted yet.") : doubt("A second person has to agree."),
      ];
    case "running":
      return [
        fine(`${formatCount(ended)} of ${formatCount(acting)} have ended.`),
        ...failed,
        fine("It can be stopped after any row."),
      ];
    case "rejected":
      return [doubt("Rejected."), fine("Nothing acted.")];
    case "aborted":
      return [
        doubt(
          plan.startedAt === undefined
            ? "Aborted before it ran."
            : `Aborted after ${formatCount(ended)} of ${formatCount(acting)}.`,
        ),
        ...failed,
        fine(`${formatCount(counts.waiting)} ${counts.waiting === 1 ? "stays" : "stay"} untouched.`),
      ];
    case "done": {
      const changed = counts.skipped - skipping - plan.stillUnknown;
      return [
        fine(`${formatCount(counts.done)} of ${formatCount(acting)} ${KIND_DONE[plan.kind]}.`),
        ...(plan.stillUnknown > 0
          ? [
              doubt(
                `${formatCount(plan.stillUnknown)} ${plan.stillUnknown === 1 ? "was" : "were"} asked about and ${plan.stillUnknown === 1 ? "is" : "are"} still unknown.`,
              ),
            ]
          : []),
        ...(changed > 0
          ? [doubt(`${formatCount(changed)} moved meanwhile and ${changed === 1 ? "was" : "were"} skipped.`)]
          : []),
        ...failed,
        ...left,
      ];
    }
  }
}

function worth({ amounts }: PlanView): string {
  return amounts.length === 0 ? "" : `, ${amounts.map(({ display }) => display).join(" and ")}`;
}
