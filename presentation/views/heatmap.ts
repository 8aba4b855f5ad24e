import type { BinMeasure } from "@/domain/metrics/bins";
import type { ChartWindow } from "@/domain/metrics/chart-window";
import type { HeatCompare, HeatMeasure, HeatRange } from "@/domain/metrics/heatmap";
import type { ShownState } from "@/domain/lists/filters";
import type { MoneyView } from "./common";

/** What was counted of one client, or of all, in one cell of time. */
export interface HeatCell {
  /** Null: nothing of it was rolled up, which is not the same as none. */
  readonly count: number | null;
  /** The same cell of the compared time; left out where it was not counted as a whole. */
  readonly compared?: number | undefined;
}

/** One column of the map. */
export interface HeatColumn {
  readonly from: string;
  /** Of what was counted: in the last column the end of the newest minute that is rolled up. RFC 3339. */
  readonly to: string;
  /** Only some of its minutes were rolled up. */
  readonly partial: boolean;
}

export interface HeatRow {
  /** Empty: the request named none. */
  readonly client: string;
  readonly total: number;
  /** In the compared time; left out where that was not counted as a whole. */
  readonly compared?: number | undefined;
  readonly cells: readonly HeatCell[];
}

/** An operation of the open cell. */
export interface HeatOperation {
  readonly operationId: string;
  readonly key: string;
  readonly kind: string;
  readonly state: ShownState;
  readonly money?: MoneyView | undefined;
  /** Answers of the cell that it had. */
  readonly count: number;
}

/** The open cell: which operations it counts. */
export interface HeatSelection {
  /** Empty: requests that named none. */
  readonly client: string;
  readonly from: string;
  readonly to: string;
  /** As rolled up; null: it was not. Undefined: outside of the map's time. */
  readonly counted?: number | null | undefined;
  readonly compared?: number | undefined;
  /** Undefined: there were too many to read in time; the list goes through them page by page. */
  readonly found?: HeatOperations | undefined;
  /** How soon retries of this client came in the cell, and in the whole time of the map; by bins. */
  readonly retries?: { readonly cell: readonly number[]; readonly window: readonly number[] } | undefined;
  /** The list of exactly these operations. */
  readonly href: string;
}

export interface HeatOperations {
  readonly answers: number;
  readonly operations: number;
  /** Answers whose operation is purged: no list has it. */
  readonly purged: number;
  readonly top: readonly HeatOperation[];
}

/** What the headline of a map rests on. */
export interface HeatFacts {
  readonly measure: HeatMeasure;
  readonly range: HeatRange;
  readonly compare: HeatCompare;
  readonly total: number;
  readonly clients: number;
  /** Columns that have begun; those of which something was rolled up; and those of which everything was that is over. */
  readonly columns: number;
  readonly known: number;
  readonly whole: number;
  /** Columns that were counted as a whole in both times. */
  readonly comparable: number;
  /** Of the compared time; left out where a column cannot be compared. */
  readonly compared?: number | undefined;
  /** The column with the largest increase. */
  readonly peak?: { readonly from: string; readonly more: number } | undefined;
  /** The client with most, where no other has as many; only known on the first page. */
  readonly first?: { readonly client: string; readonly total: number } | undefined;
}

/** How a time was distributed: per column the count of each bin; null: no bins were kept. */
export interface DistributionView {
  readonly measure: BinMeasure;
  readonly window: ChartWindow;
  readonly times: readonly string[];
  readonly columns: readonly (readonly number[] | null)[];
  /** Per bin, over all columns. */
  readonly totals: readonly number[];
  /** Columns that are over and have no bins. */
  readonly unmeasured: number;
  /** Of first answers: how long the process that read this waits for the provider at the most. Others may be set otherwise. */
  readonly providerLimitMs?: number | undefined;
}

/** Clients by time, with what is open, and the times as distributions. */
export interface HeatmapView {
  readonly at: string;
  readonly measure: HeatMeasure;
  readonly range: HeatRange;
  readonly compare: HeatCompare;
  readonly window: ChartWindow;
  /** End of the newest minute that was rolled up, at the end of the map at the latest. */
  readonly until: string;
  readonly columns: readonly HeatColumn[];
  /** All clients together. */
  readonly all: HeatRow;
  readonly rows: readonly HeatRow[];
  readonly facts: HeatFacts;
  readonly clients: number;
  /** What clients are looked for by, in their names. */
  readonly find?: string | undefined;
  /** Clients that have it in their name; without it all of them. Pages are of these. */
  readonly found: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly selected?: HeatSelection | undefined;
  readonly distributions: readonly DistributionView[];
  /** Age of the newest computed minute, ms; undefined: never rolled up. */
  readonly rolledUpMs?: number | undefined;
}
