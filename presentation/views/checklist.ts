import type { VerdictClause } from "./common";

/** A `note` says what was seen and decides nothing. */
export type CheckVerdict = "holds" | "fails" | "cannot_tell" | "note";

/** One thing that a line rests on, with what was looked at. */
export interface ChecklistCheck {
  readonly verdict: CheckVerdict;
  readonly text: string;
  /** Where it can be looked at. */
  readonly href?: string | undefined;
  /** First things that are wrong. */
  readonly samples?: readonly { readonly id: string; readonly href: string }[] | undefined;
}

export interface ChecklistRow {
  readonly id: string;
  /** The line of the checklist. */
  readonly line: string;
  readonly verdict: Exclude<CheckVerdict, "note">;
  readonly checks: readonly ChecklistCheck[];
}

export interface ChecklistView {
  readonly at: string;
  /** Hours of data that were looked at. */
  readonly hours: number;
  readonly verdict: readonly VerdictClause[];
  readonly rows: readonly ChecklistRow[];
}
