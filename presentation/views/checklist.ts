import type { VerdictClause } from "./common";

/** A `note` decides nothing. */
export type CheckVerdict = "holds" | "fails" | "cannot_tell" | "note";

/** One thing that a line rests on, with what was looked at. */
export interface ChecklistCheck {
  readonly verdict: CheckVerdict;
  readonly text: string;
  readonly href?: string | undefined;
  readonly samples?: readonly { readonly id: string; readonly href: string }[] | undefined;
}

export interface ChecklistRow {
  readonly id: string;
  readonly line: string;
  readonly verdict: Exclude<CheckVerdict, "note">;
  readonly checks: readonly ChecklistCheck[];
}

export interface ChecklistView {
  readonly at: string;
  readonly hours: number;
  readonly verdict: readonly VerdictClause[];
  readonly rows: readonly ChecklistRow[];
}
