import type { VerdictClause } from "./common";
import type { InvariantRow } from "@/domain/checks/rows";

/** Of one part of the strip: the worst run in it. */
export type InvariantMark = "none" | "held" | "unfinished" | "violated";

export interface InvariantPageRow extends InvariantRow {
  readonly group: string;
  readonly sentence: string;
  readonly looksAt: string;
  /** The statement with this tenant in it, as it can be run by hand. */
  readonly sql: string;
  readonly checkedAt?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly capped: boolean;
  /** Oldest first. */
  readonly strip: readonly InvariantMark[];
  /** Of the runs that are kept: before it nobody looked, or it is not kept any more. */
  readonly firstCheckedAt?: string | undefined;
  readonly lastViolatedAt?: string | undefined;
}

export interface InvariantsPage {
  readonly at: string;
  readonly checkedAt?: string | undefined;
  readonly stripHours: number;
  readonly windowHours: number;
  readonly verdict: readonly VerdictClause[];
  readonly checkNot?: string | undefined;
  readonly rows: readonly InvariantPageRow[];
}
