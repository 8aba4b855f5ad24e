import type { VerdictClause } from "./common";
import type { InvariantRow } from "@/domain/checks/rows";

/** Of one part of the strip: the worst run in it. */
export type InvariantMark = "none" | "held" | "unfinished" | "violated";

export interface InvariantPageRow extends InvariantRow {
  readonly group: string;
  /** What must hold. */
  readonly sentence: string;
  /** Which rows it looks at. */
  readonly looksAt: string;
  /** The statement with this tenant in it, as it can be run by hand. */
  readonly sql: string;
  /** Undefined: never checked. */
  readonly checkedAt?: string | undefined;
  readonly durationMs?: number | undefined;
  /** There are more violations than were counted. */
  readonly capped: boolean;
  /** Oldest first. */
  readonly strip: readonly InvariantMark[];
  readonly lastViolatedAt?: string | undefined;
}

export interface InvariantsPage {
  readonly at: string;
  /** The oldest of the last runs. */
  readonly checkedAt?: string | undefined;
  readonly stripHours: number;
  readonly windowHours: number;
  readonly verdict: readonly VerdictClause[];
  /** Why this person cannot check now. */
  readonly checkNot?: string | undefined;
  readonly rows: readonly InvariantPageRow[];
}
