"use client";

import { ActionDialog } from "@/components/feedback/action-dialog";
import { formatCount } from "@/presentation/format/display-time";
import { APPROVAL_AMOUNT_UNITS, PLAN_MAX_ITEMS, PLAN_RULES, type PlanKindName } from "@/domain/plans/plan";
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
  const money = kind === "purge_bodies" ? "" : ` or ${formatCount(Number(APPROVAL_AMOUNT_UNITS))}.00 of one currency`;
  return (
    <ActionDialog
      name={name}
      title={`Plan to ${verb} ${many}, and look at each verdict first?`}
      effect={`Freezes them as they are now, ${formatCount(PLAN_MAX_ITEMS)} at the most, with a verdict and its reason per row. What comes later is not in it.`}
      evidence={`${PLAN_RULES[kind].asks ? "The provider is asked about each row first; a look-up settles nothing. " : ""}Every row is judged again just before it acts. From ${formatCount(PLAN_RULES[kind].approvalFrom)} rows${money} that would act, counted with your other plans of the last hour, a second person approves.`}
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
