import { ActionDialog } from "@/components/feedback/action-dialog";
import { formatCount } from "@/presentation/format/display-time";
import { APPROVAL_AMOUNT_UNITS, PLAN_MAX_ITEMS, PLAN_RULES, type PlanKindName } from "@/domain/plans/plan";

export type PlanVerb = "requeue" | "discard";

export const PLAN_KIND_OF: Readonly<Record<PlanVerb, PlanKindName>> = {
  requeue: "requeue_dead_letters",
  discard: "discard_dead_letters",
};

export interface PlanDialogProps {
  /** Value of `?dialog=`. */
  readonly name: string;
  readonly verb: PlanVerb;
  readonly count: number;
  /** "9 likely to succeed, 42 likely to die again", as far as they were judged. */
  readonly outlook?: string | undefined;
  /** "everything of this cause", "the selected messages". */
  readonly what: string;
  /** Says which rows: `filter` or `ids`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly whyNot?: string | undefined;
}

/** Freezes rows as a plan: nothing acts before somebody looked at it and started it. */
export function PlanDialog({ name, verb, count, outlook = "", what, body, whyNot }: PlanDialogProps) {
  const kind = PLAN_KIND_OF[verb];
  const many = `${formatCount(count)} ${count === 1 ? "message" : "messages"}`;
  const tooMany =
    count > PLAN_MAX_ITEMS ? `Narrow the filter: a plan holds ${formatCount(PLAN_MAX_ITEMS)} rows.` : undefined;
  return (
    <ActionDialog
      name={name}
      title={`Plan to ${verb} ${many}, and look at each verdict first?`}
      effect={`Freezes ${what} as they are now, with a verdict and its reason per row. Later dead letters are not in it.`}
      evidence={`${verb === "requeue" && outlook !== "" ? `Outlook now: ${outlook}. ` : ""}Every row is judged again just before it acts. From ${formatCount(PLAN_RULES[kind].approvalFrom)} rows or ${formatCount(Number(APPROVAL_AMOUNT_UNITS))}.00 of one currency that would act, counted with your other plans of the last hour, a second person approves.`}
      notDone={
        verb === "discard"
          ? "Nothing is discarded yet. A discard cannot be taken back, and no body is edited by it."
          : "Nothing is sent or handled yet, not before the plan is started."
      }
      skipped="Rows that must not act are in the plan with the reason, and are left alone."
      verb={`Freeze ${many}`}
      path="/api/v1/admin/plans"
      body={{ kind, ...body }}
      follow
      notOffered={whyNot ?? tooMany}
    />
  );
}
