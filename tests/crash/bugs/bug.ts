import type { AnyPlan } from "@/tests/crash/plan";

/** A bug on purpose, with the runs that ought to show it and the oracles that ought to see it. */
export interface Bug {
  /** A name of sql.ts or of code.ts. */
  readonly name: string;
  readonly at: "sql" | "code";
  readonly story: string;
  readonly cells: readonly string[];
  /** Runs that cannot show it are not made. */
  readonly when?: (plan: AnyPlan) => boolean;
  /** At least one of these must catch it. */
  readonly oracles: readonly string[];
}
