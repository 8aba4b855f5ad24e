"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import { useAsOpened, useDialog } from "@/components/feedback/use-dialog";
import { formatCount } from "@/presentation/format/display-time";
import { KIND_NEVER, kindEffect, rowsWord } from "@/presentation/plan/plan-words";
import { KIND_WORDS, type ApprovalRow } from "@/presentation/views/plans";

type Waiting = Pick<ApprovalRow, "id" | "kind" | "counts" | "total" | "decide">;

export function ApprovalDialog({ plans }: { readonly plans: readonly Waiting[] }) {
  const { name, verb, id } = useDialog();
  const asked = verb === "approve" || verb === "reject";
  const plan = useAsOpened(name, asked ? plans.find((each) => each.id === id) : undefined);
  if (!asked) return null;
  const gone = plan === undefined ? "It does not wait any more." : undefined;
  const notOffered = gone ?? (plan?.decide.allowed === false ? plan.decide.whyNot : undefined);
  const waiting = plan?.counts.waiting ?? 0;
  const path = `/api/v1/admin/plans/${id}/decide`;
  const all = plan?.total ?? 0;
  const total = formatCount(all);
  if (verb === "reject") {
    return (
      <ActionDialog
        key={name}
        name={name}
        title={`Reject this plan of ${rowsWord(all)}?`}
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
  const skipped = plan?.counts.skipped ?? 0;
  return (
    <ActionDialog
      key={name}
      name={name}
      title={`Approve, and let the worker ${KIND_WORDS[kind].verb} ${rowsWord(waiting)}?`}
      effect={`${rowsWord(waiting)} ${waiting === 1 ? "is" : "are"} ${kindEffect(kind, waiting)}${waiting === 1 ? "" : "; one after the other"}.`}
      evidence="Each row is judged again just before it acts; what has moved since is skipped with its reason."
      notDone={KIND_NEVER[kind]}
      skipped={skipped === 0 ? `None of ${total}.` : `${formatCount(skipped)} of ${total}, as the dry run says.`}
      verb={`Approve and run ${formatCount(waiting)}`}
      path={path}
      body={{ decision: "approve", start: true }}
      reason="optional"
      notOffered={notOffered}
    />
  );
}
