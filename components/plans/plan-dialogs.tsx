import { ActionDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { formatCount } from "@/presentation/format/display-time";
import { CORRECTION_KIND, unitOf, type PlanStep } from "@/domain/plans/plan";
import { againRows, willAct } from "@/presentation/plan/plan-advice";
import { unansweredRows } from "@/presentation/plan/plan-answers";
import { stepWords, type StepFacts } from "@/presentation/plan/plan-dialog-claims";
import { KIND_NEVER, rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, type PlanView } from "@/presentation/views/plans";

export const PLAN_DIALOGS = ["start", "approve", "reject", "abort", "rerun", "ask"] as const;
type PlanDialog = (typeof PLAN_DIALOGS)[number];
/** What the dialogs say of a plan. */
export type AskedPlan = StepFacts & Partial<Pick<PlanView, "correction">>;

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
        : `Let the worker ${KIND_WORDS[plan.kind].verb} ${rowsWord(willAct(plan), plan.kind)}?`,
    verb: `Start ${formatCount(willAct(plan))}`,
  }),
  approve: (plan) => ({
    ...(plan.kind === CORRECTION_KIND ? sending(plan) : going(plan)),
    step: "decide",
    title:
      plan.kind === CORRECTION_KIND
        ? "Approve, and queue 1 corrected message?"
        : willAct(plan) === 0
          ? "Approve this plan?"
          : `Approve, and let the worker ${KIND_WORDS[plan.kind].verb} ${rowsWord(willAct(plan), plan.kind)}?`,
    verb: plan.kind === CORRECTION_KIND ? "Approve and queue" : `Approve and run ${formatCount(willAct(plan))}`,
    body: { decision: "approve", start: true },
  }),
  reject: (plan) => ({
    step: "decide",
    title: `Reject this plan of ${rowsWord(plan.total, plan.kind)}?`,
    effect: "It ends here, and stays on record for 90 days with your reason.",
    notDone: stepWords.rejectNotDone(plan),
    skipped: stepWords.rejectSkipped(plan),
    verb: "Reject the plan",
    body: { decision: "reject" },
  }),
  abort: (plan) => ({
    step: "abort",
    title: `Stop this plan, and leave ${rowsWord(plan.counts.waiting, plan.kind)} untouched?`,
    effect:
      plan.startedAt === undefined
        ? "It ends here, and stays on record for 90 days."
        : `The ${unitOf(plan.kind)} under way ends or is taken back, then nothing more acts.`,
    notDone: plan.startedAt === undefined ? `No ${unitOf(plan.kind)} acts.` : "What has acted is not taken back.",
    skipped: stepWords.stopSkipped(plan),
    verb: "Stop the plan",
  }),
  ask: (plan) => ({
    step: "ask",
    title: `Ask the provider again about ${rowsWord(unansweredRows(plan.asking), plan.kind)}?`,
    effect:
      "Rows without a final answer are looked up once more, as far as the time for it goes; each new answer stands beside its row.",
    notDone: "Nothing is settled and no money moves. Rows with a final answer keep it.",
    skipped: stepWords.askSkipped(plan),
    verb: `Ask about ${rowsWord(unansweredRows(plan.asking), plan.kind)}`,
    reason: "optional",
  }),
  rerun: (plan) => ({
    step: "rerun",
    title: `Plan ${rowsWord(againRows(plan), plan.kind)} again?`,
    effect: "A new plan freezes what did not act and would act now, with new verdicts.",
    notDone: "Nothing acts before the new plan is started.",
    skipped: stepWords.againSkipped(plan),
    verb: `Freeze ${rowsWord(againRows(plan), plan.kind)}`,
    follow: true,
  }),
};

/** What is said where a corrected message is about to leave. */
function sending({ correction }: AskedPlan) {
  return {
    effect:
      "A new message with the corrected body takes the place of the dead one, which is closed and no longer sent.",
    evidence: correction?.note,
    notDone: KIND_NEVER.correct_dead_letter,
    skipped: correction?.whyNot === undefined ? "None of 1." : `1: ${correction.whyNot}`,
    reason: "optional",
  } as const;
}

/** What is said where rows are about to act. */
function going(plan: AskedPlan) {
  return {
    effect: stepWords.startEffect(plan),
    evidence: stepWords.startEvidence(plan),
    notDone: stepWords.startNotDone(plan),
    skipped: stepWords.startSkipped(plan),
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
