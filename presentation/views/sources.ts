import type { ChartRange } from "./common";

/** Lists that an attached database may have, each with a page. */
export const SOURCE_VIEWS = ["keys", "outgoing", "incoming", "dead"] as const;
export type SourceViewName = (typeof SOURCE_VIEWS)[number];

/** An attachment in the switch of sources. */
export interface SourceName {
  readonly id: string;
  readonly name: string;
}

/** What may be done to rows, and what is said of it: a caveat where it is offered, the reason where it is not. */
export interface SourceAct {
  readonly offered: boolean;
  readonly says?: string | undefined;
  /** Why the person who looks may not, where the installation offers it. */
  readonly whyNot?: string | undefined;
}
export const SOURCE_ACTS = ["requeue", "discard", "purge"] as const;
export type SourceActName = (typeof SOURCE_ACTS)[number];
export type SourceActs = Readonly<Record<SourceActName, SourceAct>>;

/** What every page of one attachment says of it. */
export interface SourceHead extends SourceName {
  /** Host, port and database. */
  readonly shown: string;
  /** As people call the library. */
  readonly title: string;
  readonly preset: string;
  readonly installedAs: string;
  /** The lists that its tables can fill. */
  readonly views: readonly SourceViewName[];
  /** Whether they can tell what is being worked on. */
  readonly inFlight: boolean;
  readonly acts: SourceActs;
  /** When it was read, RFC 3339. */
  readonly at: string;
}

/** What a column is worth. `says` is the rule of a derived one, or why it is not stored. */
export interface SourceColumn {
  readonly name: string;
  readonly kind: "stored" | "derived" | "not_stored";
  readonly says?: string | undefined;
}

/** A value as it can be shown; undefined: the row has none. */
export type SourceValue =
  | { readonly kind: "text"; readonly text: string; readonly cut: boolean }
  /** RFC 3339. A time that has no such form, such as `infinity`, is text. */
  | { readonly kind: "time"; readonly at: string }
  | undefined;

export interface SourceRowView {
  readonly id: string;
  /** Where the row is read by itself: opaque, for `open=`. */
  readonly place: string;
  readonly state: string;
  readonly values: Readonly<Record<string, SourceValue>>;
}

export interface SourceViewFacts {
  readonly view: SourceViewName;
  readonly columns: readonly SourceColumn[];
  /** What the library means by each state. */
  readonly states: readonly { readonly state: string; readonly says: string }[];
}

/** One page of a list, or why it is not shown. */
export type SourcePage =
  | {
      readonly kind: "rows";
      readonly rows: readonly SourceRowView[];
      /** Cursors for `cursor=`. */
      readonly next?: string | undefined;
      readonly previous?: string | undefined;
    }
  | { readonly kind: "not_shown"; readonly because: string };

export interface SourceListView extends SourceViewFacts {
  readonly source: SourceHead;
  readonly at: string;
  /** The state whose rows are listed; undefined: all. */
  readonly state?: string | undefined;
  /** Why rows of one state cannot be listed by themselves; undefined where they can. */
  readonly whyNoFilter?: string | undefined;
  readonly page: SourcePage;
  /** The row that the address opens. */
  readonly opened?: SourceOpened | undefined;
}

export type SourceOpened =
  | { readonly kind: "row"; readonly row: SourceRowView }
  /** It is gone, or the address names no row of this list. */
  | { readonly kind: "gone" }
  | { readonly kind: "not_shown"; readonly because: string };

/**
 * What the columns of a row in flight say of it. `lock_ended`: its lock ran out. `held`: its lock has not. `old` and `young`: no end of a
 * lock is known, and it is older than the page's limit or not. `no_time`: neither is known.
 */
export type SourceStanding = "lock_ended" | "old" | "held" | "young" | "no_time";

export interface SourceFlightRow extends SourceRowView {
  readonly standing: SourceStanding;
}

/** Rows of a list that are in progress, the oldest first, or why they are not shown. */
export interface SourceFlightList extends SourceViewFacts {
  readonly page:
    | {
        readonly kind: "rows";
        readonly rows: readonly SourceFlightRow[];
        /** Of all rows in progress, also those that are not among the oldest. */
        readonly counts: Readonly<Record<SourceStanding, number>>;
      }
    | { readonly kind: "not_shown"; readonly because: string };
}

export interface SourceFlightView {
  readonly source: SourceHead;
  readonly at: string;
  /** A row without an end of its lock is old after this, ms. */
  readonly oldAfterMs: number;
  readonly lists: readonly SourceFlightList[];
}

/** One strip: how many rows were in a state. */
export interface SourceGauge {
  readonly view: SourceViewName;
  readonly state: string;
  /** The last value of each bucket; null: nothing was counted in it. */
  readonly values: readonly (number | null)[];
  readonly last?: { readonly value: number; readonly atLeast: boolean; readonly at: string } | undefined;
  /** The most within the range; null: nothing was counted. */
  readonly most: number | null;
}

export interface SourceView {
  readonly source: SourceHead;
  readonly at: string;
  readonly attachedAt: string;
  readonly attachedBy: string;
  /** Given by the owner of the tables when they were attached. */
  readonly constants: Readonly<Record<string, string>>;
  /** Traps and limits of the preset. */
  readonly notes: readonly string[];
  readonly lists: readonly SourceViewFacts[];
  readonly range: ChartRange;
  /** Start of each bucket, RFC 3339. */
  readonly buckets: readonly string[];
  readonly gauges: readonly SourceGauge[];
  /** Lists whose rows are not counted, each with the reason. */
  readonly notCounted: readonly { readonly view: SourceViewName; readonly because: string }[];
  /** Reads that a time limit ended within the last day. */
  readonly cutOffs: readonly SourceCutOff[];
}

/** A read of a list that a time limit ended: the last one by each limit. */
export interface SourceCutOff {
  readonly view: SourceViewName;
  /** RFC 3339. */
  readonly at: string;
  /** The limit: "a statement may take 5 s there". */
  readonly says: string;
}

/** A row of an attachment that a search found. */
export interface SourceHit {
  readonly source: string;
  readonly view: SourceViewName;
  readonly id: string;
  readonly state: string;
  readonly label: string;
  readonly href: string;
}

export interface SourceHits {
  readonly hits: readonly SourceHit[];
  /** What was not asked, each with the reason. */
  readonly left: readonly { readonly source: string; readonly because: string }[];
  /** Attachments of the tenant that were asked. */
  readonly asked: number;
}
