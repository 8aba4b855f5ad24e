import type { GlyphName } from "@/presentation/format/glyph";
import type { IncidentWindow } from "@/presentation/metrics/incidents";
import type { LatePlace } from "@/presentation/metrics/overview-verdict";
import type { ChartAxis, ChartSeries, VerdictView } from "./common";
import type { AttentionRow, DoubtTotal } from "./operations";
import type { RiskView } from "./risk";
import type { InvariantRow, LoopRow } from "@/domain/checks/rows";

export interface OverviewView {
  readonly at: string;
  readonly verdict: VerdictView;
  /** Below the verdict: "Nothing has been sent twice: no key has more than one execution." */
  readonly notes: readonly string[];
  readonly doubt: {
    readonly count: number;
    readonly totals: readonly DoubtTotal[];
    readonly oldestMs?: number | undefined;
    /** The heaviest rows, at most OVERVIEW_ROWS; the rest is `count - rows.length`. */
    readonly rows: readonly AttentionRow[];
    /** Where a window is brushed: how many of them began in it; rows and totals are of these. */
    readonly began?: number | undefined;
  };
  readonly risk: RiskView;
  readonly charts: ChartsView;
  /** Topics and consumers where a message waits too long, the oldest first; at most LATE_PLACES of each side. */
  readonly late: readonly LatePlace[];
  readonly waiting: readonly WaitingRow[];
  readonly invariants: InvariantsView;
  readonly loops: readonly LoopRow[];
}

export interface ChartsView extends ChartAxis {
  readonly strips: readonly AnswerSeries[];
  /** Share of answers that were replays, 0–1; undefined without answers. */
  readonly replayRatio?: number | undefined;
  /** Stretches in which something was wrong; marked for a day at most. */
  readonly incidents: readonly IncidentWindow[];
}

export interface AnswerSeries extends ChartSeries {
  readonly name:
    | "executed"
    | "replayed"
    | "in_progress"
    | "conflict"
    | "expired_retry"
    | "unknown"
    | "first_answer_p95"
    | "oldest_outbox"
    | "oldest_in_progress";
  readonly label: string;
  readonly glyph?: GlyphName | undefined;
}

export interface WaitingRow {
  readonly name: "stale" | "unknown" | "in_progress" | "outbox" | "inbox" | "dead_letters";
  readonly label: string;
  readonly href: string;
  readonly open: number;
  /** Counting stopped there: more may wait, and longer. */
  readonly more?: boolean | undefined;
  readonly oldestMs?: number | undefined;
  /** Median age of the oldest at this time of day on earlier days; undefined: no earlier day is known. */
  readonly usualMs?: number | undefined;
  /** Longer than usual for this queue. */
  readonly tone: "plain" | "doubt" | "broken";
}

export interface InvariantsView {
  /** When the oldest of the last runs was; undefined: nothing was checked yet. */
  readonly checkedAt?: string | undefined;
  /** The window the checks looked at, in hours. */
  readonly windowHours: number;
  readonly rows: readonly InvariantRow[];
}

export const OVERVIEW_ROWS = 6;
