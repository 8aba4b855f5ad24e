"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { useDialogOf } from "@/components/feedback/use-dialog";
import { STEP_DIALOGS, type AskedPlan } from "@/components/plans/plan-dialogs";
import { willAct } from "@/presentation/plan/plan-advice";
import { kindEffect, rowsWord } from "@/presentation/plan/plan-words";
import type { ApprovalRow } from "@/presentation/views/plans";

type Waiting = Pick<ApprovalRow, "id" | "kind" | "counts" | "total" | "rest" | "decide" | "correction">;

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
  const { kind, counts, total, rest, correction } = row ?? GONE;
  const { step, ...words } = STEP_DIALOGS[verb]({ kind, counts, total, rest, correction });
  const acting = willAct({ counts, rest });
  return {
    ...words,
    effect:
      verb === "reject"
        ? "It ends here and stays on record with your reason; whoever asked reads it."
        : acting === 0 || correction !== undefined
          ? words.effect
          : `${rowsWord(acting)} ${acting === 1 ? "is" : "are"} ${kindEffect(kind, acting)}${acting === 1 ? "" : "; one after the other"}.`,
    path: `/api/v1/admin/plans/${id}/${step}`,
    notOffered:
      row === undefined
        ? "It is no longer waiting."
        : (whyNotOffered(row.decide) ?? (verb === "approve" ? correction?.whyNot : undefined)),
  };
}
