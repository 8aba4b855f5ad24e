import type { GlyphName, Tone } from "@/presentation/format/glyph";

export interface MoneyView {
  /** Minor units as text, for sums: "1248000". */
  readonly minor: string;
  /** Decimal text: "12480.00". */
  readonly amount: string;
  readonly currency: string;
  /** For people: "€12,480.00". */
  readonly display: string;
}

/** One page of a list. A cursor is opaque and goes into `?cursor=`; without one there is nothing on that side. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Towards the end of the list ("Older" when newest is first). */
  readonly next?: string | undefined;
  /** Towards its beginning ("Newer"). */
  readonly previous?: string | undefined;
  /** Database time of the read. */
  readonly at: string;
  /** The page is not full because so many rows were looked at; its cursor goes on from there. */
  readonly looked?: ScanLimit | undefined;
}

/** How far a page came whose filters have no index. */
export interface ScanLimit {
  readonly rows: number;
  /** Time or other value of the row at which it stopped, as the list is sorted. */
  readonly until: string;
  readonly further: string;
}

/** A list, or the typed answer that the search was cancelled because it covered too much. */
export type Listed<Row> = ({ readonly kind: "page" } & Page<Row>) | TooBroad;

export interface TooBroad {
  readonly kind: "too_broad";
  /** Whole hours that the search covered; undefined without a time filter. */
  readonly hours?: number | undefined;
  readonly stoppedAfterSeconds: number;
}

/** A count with how it was taken. `at_least` is drawn "10,000+", `estimate` "~1.24 M". */
export interface CountView {
  readonly value: number;
  readonly kind: "exact" | "at_least" | "estimate";
  readonly ageMs: number;
}

/** One clause of a verdict sentence; everything but `fine` is underlined in that tone. */
export interface VerdictClause {
  readonly text: string;
  readonly tone: "fine" | "doubt" | "broken" | "conflict";
}

export interface VerdictView {
  readonly clauses: readonly VerdictClause[];
  /** All clauses as one line: the page title. */
  readonly text: string;
}

/** An action with its permission and eligibility: `allowed`, or the sentence that says why not. */
export interface ActionView {
  readonly action: ActionName;
  readonly label: string;
  readonly allowed: boolean;
  /** Filled when not allowed: shown beside the disabled control. */
  readonly whyNot?: string | undefined;
}

export type ActionName =
  | "reconcile"
  | "resolve_succeeded"
  | "resolve_failed"
  | "keep_waiting"
  | "release"
  | "withdraw_request"
  | "purge_body"
  | "reveal_bodies"
  | "send_again"
  | "requeue"
  | "pause"
  | "resume"
  | "route"
  | "discard"
  | "start_plan"
  | "decide_plan"
  | "abort_plan"
  | "rerun_plan"
  | "ask_plan"
  | "correct"
  | "republish"
  | "reveal_difference";

export interface GlyphText {
  readonly glyph: GlyphName;
  readonly tone: Tone;
  readonly text: string;
  /** The same in a word or two, where the sentence is said once for many rows. */
  readonly brief?: string | undefined;
}

/** Strips over one time axis. `values[i]` belongs to `buckets[i]`; null: nothing was measured. */
export interface ChartAxis {
  readonly range: ChartRange;
  readonly bucketSeconds: number;
  /** Start of each bucket, RFC 3339. */
  readonly buckets: readonly string[];
  /** Age of the last computed minute; undefined: never rolled up. */
  readonly rolledUpMs?: number | undefined;
}

/** One strip: `count` per bucket, or `ms` of a duration. */
export interface ChartSeries {
  readonly unit: "count" | "ms";
  readonly values: readonly (number | null)[];
  /** The last whole bucket. */
  readonly now: number | null;
  /** Sum of a count, maximum of a duration. */
  readonly total: number | null;
}

export type ChartRange = (typeof CHART_RANGES)[number];

export const CHART_RANGES = ["1h", "6h", "24h", "7d"] as const;
