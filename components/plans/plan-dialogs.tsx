import { ActionDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { formatAge, formatCount } from "@/presentation/format/display-time";
import { CORRECTION_KIND, planSeconds, type PlanStep } from "@/domain/plans/plan";
import { againRows, willAct } from "@/presentation/plan/plan-advice";
import { answerTotal, leftOut, unansweredRows } from "@/presentation/plan/plan-answers";
import { isFinal } from "@/domain/plans/look-ups";
import { KIND_NEVER, kindEffect, rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, type PlanView } from "@/presentation/views/plans";

export const PLAN_DIALOGS = ["start", "approve", "reject", "abort", "rerun", "ask"] as const;
type PlanDialog = (typeof PLAN_DIALOGS)[number];
/** What the dialogs say of a plan. */
export type AskedPlan = Pick<PlanView, "kind" | "counts" | "total" | "startedAt" | "rest"> &
  Partial<Pick<PlanView, "asking" | "correction">>;

interface StepDialog extends Omit<DialogWords, "path"> {
  readonly step: PlanStep;
}

export const STEP_DIALOGS: Readonly<Record<PlanDialog, (plan: AskedPlan) => StepDialog>> = {
  start: (plan) => ({
    ...going(plan),
    step: "start",
    title:
      willAct(plan) === 0
        ? "Start this plan?"
        : `Let the worker ${KIND_WORDS[plan.kind].verb} ${rowsWord(willAct(plan))}?`,
    verb: `Start ${formatCount(willAct(plan))}`,
  }),
  approve: (plan) => ({
    ...(plan.kind === CORRECTION_KIND ? sending(plan) : going(plan)),
    step: "decide",
    title:
      plan.kind === CORRECTION_KIND
        ? "Approve, and send 1 corrected message?"
        : willAct(plan) === 0
          ? "Approve this plan?"
          : `Approve, and let the worker ${KIND_WORDS[plan.kind].verb} ${rowsWord(willAct(plan))}?`,
    verb: plan.kind === CORRECTION_KIND ? "Approve and send" : `Approve and run ${formatCount(willAct(plan))}`,
    body: { decision: "approve", start: true },
  }),
  reject: (plan) => ({
    step: "decide",
    title: `Reject this plan of ${rowsWord(plan.total)}?`,
    effect: "It ends here and stays on record with your reason.",
    notDone: "No row acts. What was frozen stays as it is and may be planned again.",
    skipped: `All ${formatCount(plan.total)}.`,
    verb: "Reject the plan",
    body: { decision: "reject" },
  }),
  abort: ({ counts: { waiting }, total, startedAt }) => ({
    step: "abort",
    title: `Stop this plan, and leave ${rowsWord(waiting)} untouched?`,
    effect:
      startedAt === undefined
        ? "It ends here, and stays on record."
        : "The row under way ends, then nothing more acts.",
    notDone: startedAt === undefined ? "No row acts." : "What has acted is not taken back.",
    skipped: `${formatCount(waiting)} of ${formatCount(total)} ${waiting === 1 ? "stays as it is; it" : "stay as they are; they"} can be planned again.`,
    verb: "Stop the plan",
  }),
  ask: ({ asking }) => ({
    step: "ask",
    title: `Ask the provider again about ${rowsWord(unansweredRows(asking))}?`,
    effect: "Each row without a final answer is looked up once more; its new answer stands beside it.",
    notDone: "Nothing is settled and no money moves. Rows with a final answer keep it.",
    skipped: `${formatCount(answerTotal(asking, isFinal))} with a final answer.`,
    verb: `Ask about ${rowsWord(unansweredRows(asking))}`,
    reason: "optional",
  }),
  rerun: (plan) => ({
    step: "rerun",
    title: `Plan ${rowsWord(againRows(plan))} again?`,
    effect: "A new plan freezes what did not act and would act now, with new verdicts.",
    notDone: "Nothing acts before the new plan is started.",
    skipped: notAgain(plan.total - againRows(plan)),
    verb: `Freeze ${rowsWord(againRows(plan))}`,
    follow: true,
  }),
};

function notAgain(count: number): string {
  if (count === 0) return "None.";
  return `${formatCount(count)} that ${count === 1 ? "is" : "are"} done, settled, or would be left alone.`;
}

/** What is said where a corrected message is about to leave. */
function sending({ correction }: AskedPlan) {
  return {
    effect: "A new message with the corrected body takes the place of the dead one, which is closed and never sent.",
    evidence: correction?.note,
    notDone: KIND_NEVER.correct_dead_letter,
    skipped: correction?.whyNot === undefined ? "None of 1." : `1: ${correction.whyNot}`,
    reason: "optional",
  } as const;
}

/** What is said where rows are about to act. */
function going(plan: AskedPlan) {
  const { kind, counts, total } = plan;
  const { waiting, skipped } = counts;
  const acting = willAct(plan);
  const unknown = leftOut(plan);
  const settled = waiting - acting - unknown;
  const more = [
    settled === 0 ? "" : ` ${formatCount(settled)} more, settled since.`,
    unknown === 0 ? "" : ` ${formatCount(unknown)} still unknown, left out.`,
  ].join("");
  return {
    effect:
      acting === 0
        ? "No row would act now."
        : `${rowsWord(acting)} ${acting === 1 ? "is" : "are"} ${kindEffect(kind, acting)}; it takes at least ${formatAge(planSeconds(acting) * 1_000)}.`,
    evidence: "Each row is judged again just before it acts; what has changed since is skipped with its reason.",
    notDone: KIND_NEVER[kind],
    skipped:
      skipped === 0
        ? more.trim() || `None of ${formatCount(total)}.`
        : `${formatCount(skipped)} of ${formatCount(total)}, as the dry run says.${more}`,
    reason: "optional",
  } as const;
}

/** The dialog of one step of a plan. */
export function PlanStepDialog({ plan, name }: { readonly plan: PlanView; readonly name: PlanDialog }) {
  const { step, ...dialog } = STEP_DIALOGS[name](plan);
  return (
    <ActionDialog
      {...dialog}
      name={name}
      path={`/api/v1/admin/plans/${plan.id}/${step}`}
      notOffered={whyNotOffered(plan.actions[step]) ?? (name === "approve" ? plan.correction?.whyNot : undefined)}
    />
  );
}
