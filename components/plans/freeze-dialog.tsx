"use client";

import { ActionDialog, type DialogWords } from "@/components/feedback/action-dialog";
import type { PlanKindName } from "@/domain/plans/plan";
import { freezeWords } from "@/presentation/plan/plan-dialog-claims";
import { KIND_NEVER } from "@/presentation/plan/plan-words";
import { KIND_WORDS } from "@/presentation/views/plans";

export interface FreezeWords {
  readonly kind: PlanKindName;
  /** "all 11,204 operations that match", "4 selected operations". */
  readonly many: string;
  /** Says which rows: `search`, `ids` or `attached`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What somebody chooses of them in the dialog. */
  readonly fields?: DialogWords["fields"];
  /** Whether these choose among dead rows. */
  readonly chosen?: boolean | undefined;
  readonly whyNot?: string | undefined;
}

export interface FreezeDialogProps extends FreezeWords {
  /** Value of `?dialog=`. */
  readonly name: string;
}

/** Freezes operations as a plan: nothing acts before somebody looked at it and started it. */
export function FreezeDialog({ name, ...words }: FreezeDialogProps) {
  return <ActionDialog name={name} {...freezeDialog(words)} />;
}

/** The same for a component that has several dialogs. */
export function freezeDialog({ kind, many, body, fields, chosen, whyNot }: FreezeWords): DialogWords {
  const verb = KIND_WORDS[kind].verb;
  const words = freezeWords({ kind, ...(chosen === true && { chosen }) });
  return {
    title: `Plan to ${verb} ${many}, and look at each verdict first?`,
    effect: words.effect,
    evidence: words.evidence,
    notDone: `Nothing acts yet, not before the plan is started. ${KIND_NEVER[kind]}`,
    skipped: "Rows that must not act are in the plan with the reason, and are left alone.",
    verb: "Freeze and judge",
    path: "/api/v1/admin/plans",
    body: { kind, ...body },
    fields,
    follow: true,
    notOffered: whyNot,
  };
}
