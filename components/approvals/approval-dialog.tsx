"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { useDialogOf } from "@/components/feedback/use-dialog";
import { STEP_DIALOGS, type AskedPlan } from "@/components/plans/plan-dialogs";
import { willAct } from "@/presentation/plan/plan-advice";
import { effectOfRows } from "@/presentation/plan/plan-words";
import type { ApprovalRow } from "@/presentation/views/plans";

type Waiting = Pick<ApprovalRow, "id" | "kind" | "counts" | "total" | "rest" | "decide" | "correction"> &
  Partial<Pick<ApprovalRow, "verdicts" | "asking">>;

const GONE: AskedPlan = {
  kind: "requeue_dead_letters",
  counts: { waiting: 0, done: 0, failed: 0, skipped: 0 },
  total: 0,
};

export function ApprovalDialog({ plans }: { readonly plans: readonly Waiting[] }) {
  const { name, verb, id, row } = useDialogOf(plans);
  return (
    <AskedDialog name={name} words={verb === "approve" || verb === "reject" ? wordsOf(verb, id, row) : undefined} />
  );
}

/** Those of the plan's own page; only the effect is told for the list. */
function wordsOf(verb: "approve" | "reject", id: string, row: Waiting | undefined): DialogWords {
  const { kind, counts, total, rest, verdicts = [], asking, correction } = row ?? GONE;
  const { step, ...words } = STEP_DIALOGS[verb]({ kind, counts, total, rest, verdicts, asking, correction });
  const acting = willAct({ counts, rest, asking });
  return {
    ...words,
    effect:
      verb === "reject"
        ? words.effect
        : acting === 0 || correction !== undefined
          ? words.effect
          : `${effectOfRows(kind, acting, verdicts)}${acting === 1 ? "" : "; one after the other"}.`,
    path: `/api/v1/admin/plans/${id}/${step}`,
    notOffered:
      row === undefined
        ? "It waits no longer, or is not among those shown."
        : (whyNotOffered(row.decide) ?? (verb === "approve" ? correction?.whyNot : undefined)),
  };
}
