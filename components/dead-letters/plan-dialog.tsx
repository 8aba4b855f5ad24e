import { ActionDialog } from "@/components/feedback/action-dialog";
import { formatCount } from "@/presentation/format/display-time";
import type { PlanKindName } from "@/domain/plans/plan";
import { freezeWords } from "@/presentation/plan/plan-dialog-claims";

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
  const words = freezeWords({ kind, what, count, outlook });
  return (
    <ActionDialog
      name={name}
      title={`Plan to ${verb} ${many}, and look at each verdict first?`}
      effect={words.effect}
      evidence={words.evidence}
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
      notOffered={whyNot ?? words.whyNot}
    />
  );
}
