import { ActionDialog } from "@/components/feedback/action-dialog";
import { formatCount } from "@/domain/display-time";
import { KIND_EFFECTS, KIND_NEVER } from "@/domain/plan-words";
import { KIND_WORDS, type ApprovalRow } from "@/domain/views/plans";

const NAME = /^(approve|reject):(.+)$/;

/** The dialog that the address names: agree and run, or reject with a reason. */
export function ApprovalDialog({ name, plans }: { readonly name: string; readonly plans: readonly ApprovalRow[] }) {
  const [, verb, id = ""] = NAME.exec(name) ?? [];
  if (verb === undefined) return null;
  const plan = plans.find((each) => each.id === id);
  const gone = plan === undefined ? "It does not wait any more." : undefined;
  const notOffered = gone ?? (plan?.decide.allowed === false ? plan.decide.whyNot : undefined);
  const many = formatCount(plan?.counts.waiting ?? 0);
  const path = `/api/v1/admin/plans/${id}/decide`;
  const total = formatCount(plan?.total ?? 0);
  if (verb === "reject") {
    return (
      <ActionDialog
        key={name}
        name={name}
        title={`Reject this plan of ${total} rows?`}
        effect="It ends here and stays on record with your reason; whoever asked reads it."
        notDone="No row acts. What was frozen stays as it is and may be planned again."
        skipped={`All ${total}.`}
        verb="Reject the plan"
        path={path}
        body={{ decision: "reject" }}
        notOffered={notOffered}
      />
    );
  }
  const kind = plan?.kind ?? "requeue_dead_letters";
  const skipped = formatCount(plan?.counts.skipped ?? 0);
  return (
    <ActionDialog
      key={name}
      name={name}
      title={`Approve, and let the worker ${KIND_WORDS[kind].verb} ${many} rows?`}
      effect={`${many} rows are ${KIND_EFFECTS[kind]}, one after the other.`}
      evidence="Each row is judged again just before it acts; what has moved since is skipped with its reason."
      notDone={KIND_NEVER[kind]}
      skipped={`${skipped} of ${total}, as the dry run says.`}
      verb={`Approve and run ${many}`}
      path={path}
      body={{ decision: "approve", start: true }}
      reason="optional"
      notOffered={notOffered}
    />
  );
}
