import { ActionDialog } from "@/components/feedback/action-dialog";
import { formatAge, formatCount } from "@/presentation/format/display-time";
import { planSeconds } from "@/domain/plans/plan";
import { KIND_NEVER, kindEffect, rowsWord } from "@/presentation/plan/plan-words";
import type { ActionView } from "@/presentation/views/common";
import { KIND_WORDS, type PlanView } from "@/presentation/views/plans";

/** Values of `?dialog=`. */
export const PLAN_DIALOGS = ["start", "approve", "reject", "abort", "rerun"] as const;

export interface PlanStepDialogProps {
  readonly plan: PlanView;
  readonly name: (typeof PLAN_DIALOGS)[number];
}

const off = (action: ActionView): string | undefined =>
  action.allowed ? undefined : (action.whyNot ?? "Not offered now.");

/** The dialog of one step of a plan. */
export function PlanStepDialog({ plan, name }: PlanStepDialogProps) {
  switch (name) {
    case "start":
    case "approve":
      return <Go plan={plan} name={name} />;
    case "reject":
      return <Reject plan={plan} name={name} />;
    case "abort":
      return <Abort plan={plan} name={name} />;
    case "rerun":
      return <Rerun plan={plan} name={name} />;
  }
}

function Go({ plan, name }: PlanStepDialogProps) {
  const approve = name === "approve";
  const { waiting, skipped } = plan.counts;
  const many = rowsWord(waiting);
  return (
    <ActionDialog
      name={name}
      title={`${approve ? "Approve, and let" : "Let"} the worker ${KIND_WORDS[plan.kind].verb} ${many}?`}
      effect={`${many} ${waiting === 1 ? "is" : "are"} ${kindEffect(plan.kind, waiting)}; it takes at least ${formatAge(planSeconds(waiting) * 1_000)}.`}
      evidence="Each row is judged again just before it acts; what has moved since is skipped with its reason."
      notDone={KIND_NEVER[plan.kind]}
      skipped={
        skipped === 0
          ? `None of ${formatCount(plan.total)}.`
          : `${formatCount(skipped)} of ${formatCount(plan.total)}, as the dry run says.`
      }
      verb={`${approve ? "Approve and run" : "Start"} ${formatCount(waiting)}`}
      path={`/api/v1/admin/plans/${plan.id}/${approve ? "decide" : "start"}`}
      body={approve ? { decision: "approve", start: true } : {}}
      reason="optional"
      notOffered={off(approve ? plan.actions.decide : plan.actions.start)}
    />
  );
}

function Reject({ plan, name }: PlanStepDialogProps) {
  return (
    <ActionDialog
      name={name}
      title={`Reject this plan of ${rowsWord(plan.total)}?`}
      effect="It ends here and stays on record with your reason."
      notDone="No row acts. What was frozen stays as it is and may be planned again."
      skipped={`All ${formatCount(plan.total)}.`}
      verb="Reject the plan"
      path={`/api/v1/admin/plans/${plan.id}/decide`}
      body={{ decision: "reject" }}
      notOffered={off(plan.actions.decide)}
    />
  );
}

function Abort({ plan, name }: PlanStepDialogProps) {
  const { waiting } = plan.counts;
  return (
    <ActionDialog
      name={name}
      title={`Stop this plan, and leave ${rowsWord(waiting)} untouched?`}
      effect={
        plan.startedAt === undefined
          ? "It ends here, and stays on record."
          : "The row under way ends, then nothing more acts."
      }
      notDone={plan.startedAt === undefined ? "No row acts." : "What has acted is not taken back."}
      skipped={`${formatCount(waiting)} of ${formatCount(plan.total)} ${waiting === 1 ? "stays as it is; it" : "stay as they are; they"} can be planned again.`}
      verb="Stop the plan"
      path={`/api/v1/admin/plans/${plan.id}/abort`}
      notOffered={off(plan.actions.abort)}
    />
  );
}

function Rerun({ plan, name }: PlanStepDialogProps) {
  const left = plan.total - plan.counts.done;
  return (
    <ActionDialog
      name={name}
      title={
        left === 1
          ? "Plan the 1 row again that did not act?"
          : `Plan the ${formatCount(left)} rows again that did not act?`
      }
      effect="A new plan freezes what failed, was skipped or was never reached, with new verdicts."
      notDone="Nothing acts before the new plan is started."
      skipped={
        plan.counts.done === 0
          ? "None."
          : `${formatCount(plan.counts.done)} that ${plan.counts.done === 1 ? "is" : "are"} done.`
      }
      verb={`Freeze ${rowsWord(left)}`}
      path={`/api/v1/admin/plans/${plan.id}/rerun`}
      follow
      notOffered={off(plan.actions.rerun)}
    />
  );
}
