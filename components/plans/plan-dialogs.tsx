import { ActionDialog } from "@/components/feedback/action-dialog";
import { formatAge, formatCount } from "@/domain/display-time";
import { planSeconds } from "@/domain/plan";
import { KIND_EFFECTS, KIND_NEVER } from "@/domain/plan-words";
import type { ActionView } from "@/domain/views/common";
import { KIND_WORDS, type PlanView } from "@/domain/views/plans";

export interface PlanStepDialogProps {
  readonly plan: PlanView;
  /** Value of `?dialog=`. */
  readonly name: string;
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
    default:
      return null;
  }
}

function Go({ plan, name }: PlanStepDialogProps) {
  const approve = name === "approve";
  const { waiting, skipped } = plan.counts;
  const many = `${formatCount(waiting)} ${waiting === 1 ? "row" : "rows"}`;
  return (
    <ActionDialog
      name={name}
      title={`${approve ? "Approve, and let" : "Let"} the worker ${KIND_WORDS[plan.kind].verb} ${many}?`}
      effect={`${many} ${waiting === 1 ? "is" : "are"} ${KIND_EFFECTS[plan.kind]}, one after the other, in at least ${formatAge(planSeconds(waiting) * 1_000)}.`}
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
      title={`Reject this plan of ${formatCount(plan.total)} rows?`}
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
      title={`Stop this plan, and leave ${formatCount(waiting)} rows untouched?`}
      effect="The row under way ends, then nothing more acts."
      notDone="What has acted is not taken back."
      skipped={`${formatCount(waiting)} of ${formatCount(plan.total)} stay as they are; they can be planned again.`}
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
      title={`Plan the ${formatCount(left)} rows again that did not act?`}
      effect="A new plan freezes what failed, was skipped or was never reached, with new verdicts."
      notDone="Nothing acts before the new plan is started."
      skipped={`${formatCount(plan.counts.done)} that are done.`}
      verb={`Freeze ${formatCount(left)} rows`}
      path={`/api/v1/admin/plans/${plan.id}/rerun`}
      follow
      notOffered={off(plan.actions.rerun)}
    />
  );
}
