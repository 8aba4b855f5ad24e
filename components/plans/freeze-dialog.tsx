"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import type { PlanKindName } from "@/domain/plans/plan";
import { freezeWords } from "@/presentation/plan/plan-dialog-claims";
import { KIND_NEVER } from "@/presentation/plan/plan-words";
import { KIND_WORDS } from "@/presentation/views/plans";

export interface FreezeDialogProps {
  /** Value of `?dialog=`. */
  readonly name: string;
  readonly kind: PlanKindName;
  /** "all 11,204 operations that match", "4 selected operations". */
  readonly many: string;
  /** Says which rows: `search` or `ids`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly whyNot?: string | undefined;
}

/** Freezes operations as a plan: nothing acts before somebody looked at it and started it. */
export function FreezeDialog({ name, kind, many, body, whyNot }: FreezeDialogProps) {
  const verb = KIND_WORDS[kind].verb;
  const words = freezeWords({ kind });
  return (
    <ActionDialog
      name={name}
      title={`Plan to ${verb} ${many}, and look at each verdict first?`}
      effect={words.effect}
      evidence={words.evidence}
      notDone={`Nothing acts yet, not before the plan is started. ${KIND_NEVER[kind]}`}
      skipped="Rows that must not act are in the plan with the reason, and are left alone."
      verb="Freeze and judge"
      path="/api/v1/admin/plans"
      body={{ kind, ...body }}
      follow
      notOffered={whyNot}
    />
  );
}
