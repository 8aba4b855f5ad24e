import type { RiskTime, Span } from "@/domain/metrics/risk";
import type { MoneyView } from "./common";
import type { MeasureName } from "./metrics";

/** A thing that was done or went wrong at a moment, above the chart. It stands beside money in doubt; it is no cause of it. */
export interface RiskMark {
  readonly id: string;
  readonly kind: "deploy" | "policy" | "pause" | "incident";
  /** RFC 3339. */
  readonly at: string;
  /** Where it ended; undefined: a moment, or it lasts. */
  readonly until?: string | undefined;
  /** "api 2.31.0", "payments.create: lease 30 s", "analytics paused 6 min". */
  readonly label: string;
  readonly href?: string | undefined;
}

/** Money in doubt of one currency. All lists have one value per point; minor units as text. */
export interface RiskSeries {
  /** ISO 4217; empty: operations that are not about money. */
  readonly currency: string;
  /** By step of age, the youngest first. */
  readonly steps: readonly {
    readonly label: string;
    readonly minor: readonly string[];
    readonly counts: readonly number[];
  }[];
  readonly totals: readonly string[];
  readonly counts: readonly number[];
}

export interface RiskView {
  /** Database time of the read. */
  readonly at: string;
  readonly time: RiskTime;
  /** Where each step begins, and the end, RFC 3339. A value is the most that was in doubt in its step. */
  readonly points: readonly string[];
  /** Points from the first one on of which nothing is known: a gap, not zero. */
  readonly unknown: number;
  /** One per currency, the one with the most operations in doubt first; none where nothing was drawn. */
  readonly series: readonly RiskSeries[];
  /** The one that is drawn. */
  readonly shown?: RiskSeries | undefined;
  /** What is said instead of the chart, where there is none. */
  readonly none?: string | undefined;
  /** The chart in a sentence, for a screen reader. */
  readonly spoken: string;
  /** What stands at its right end; undefined: nothing is in doubt there. */
  readonly end?:
    { readonly money?: MoneyView | undefined; readonly operations: string; readonly age: string } | undefined;
  /** What the chart does not show. */
  readonly notes: readonly string[];
  readonly marks: readonly RiskMark[];
  /** The brushed window; undefined: the whole chart. */
  readonly window?: Span | undefined;
  readonly changes: ChangesView;
}

/** What differs from the usual in the window. */
export interface ChangesView {
  readonly window: Span;
  /** "against the same 12 minutes on the last 20 working days, by distance from the usual". */
  readonly note: string;
  /** The farthest from the usual first. */
  readonly rows: readonly ChangeRow[];
  /** What did not change, and the nearest mark. */
  readonly rest: readonly string[];
  /** Every measure of the same time. */
  readonly href: string;
  readonly measures: number;
}

export interface ChangeRow {
  readonly name: MeasureName;
  readonly label: string;
  readonly value: string;
  readonly usual: string;
  /** Where it comes from; empty: nothing more is known. */
  readonly from: string;
  readonly href: string;
  /** "operations", "conflicts", "chart"; the whole is in `list`. */
  readonly open: string;
  readonly list: string;
}
