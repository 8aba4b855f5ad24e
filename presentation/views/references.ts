import type { AnswersView } from "../operation/chain";
import type { GlyphName, Tone } from "../format/glyph";
import type { ActionView, MoneyView, TooBroad, VerdictView } from "./common";

/** Everything under one order reference. */
export interface ReferenceView {
  readonly at: string;
  readonly reference: string;
  /** Only this customer's keys. */
  readonly customer?: string | undefined;
  /** Who was charged under it, or was to be: accounts. */
  readonly customers: readonly string[];
  readonly verdict: VerdictView;
  /** Statements below the verdict. */
  readonly lede: readonly string[];
  readonly totals: readonly ReferenceTotal[];
  readonly lanes: readonly ReferenceLane[];
  readonly chart: ReferenceChart;
  /** Every mark of every lane in order of time, as words. */
  readonly events: readonly ReferenceEvent[];
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Names of clients that sent its keys. */
  readonly clients: readonly string[];
  /** When the last key's window ends; RFC 3339. */
  readonly openUntil?: string | undefined;
  readonly customerText?: string | undefined;
  readonly whyNoText?: string | undefined;
  readonly actions: readonly ReferenceAction[];
  /** What was not read, in words. */
  readonly cut: readonly string[];
}

/** Money in one currency: what was charged, what went back, and what stays. */
export interface ReferenceTotal {
  readonly charged: MoneyView;
  readonly returned: MoneyView;
  readonly stays: MoneyView;
  /** More may have moved. */
  readonly doubt?: MoneyView | undefined;
}

/** One key, the webhooks, or the ledger. */
export interface ReferenceLane {
  readonly id: string;
  readonly kind: "payment" | "refund" | "void" | "webhooks";
  /** "Key 1", "Refund 2", "Webhooks". */
  readonly name: string;
  /** A key, or the source of webhooks; shown cut. */
  readonly detail: string;
  readonly href?: string | undefined;
  readonly operationId?: string | undefined;
  readonly outcome: { readonly glyph: GlyphName; readonly tone: Tone; readonly text: string };
  /** What it moved: "+€84.50", "nothing". */
  readonly result: { readonly text: string; readonly tone: Tone; readonly strong: boolean };
  /** "4 requests, 1 of another command". */
  readonly note: string;
  readonly answers: AnswersView;
  readonly firstAt: string;
  /** What a screen reader hears of the lane. */
  readonly spoken: string;
}

/** The lanes that are drawn, on one time axis; places are per cent of its width. */
export interface ReferenceChart {
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
  /** Word of the zone that the labels are in. */
  readonly zone: string;
  readonly breakAt?: { readonly x: number; readonly width: number } | undefined;
  readonly lanes: readonly DrawnLane[];
  /** Keys that moved no money and are not drawn. */
  readonly folded: number;
  readonly ledger: DrawnLedger;
  readonly spoken: string;
}

export interface DrawnLane {
  readonly lane: string;
  readonly marks: readonly DrawnMark[];
  /** Marks beyond those drawn. */
  readonly more: number;
  /** The line down: money that moved or may have; dotted lines of webhooks. A short cap where none moved. */
  readonly lines: readonly { readonly x: number; readonly kind: LineKind }[];
  readonly end?: { readonly x: number; readonly text: string } | undefined;
}

/** `solid`: money moved and the ledger has it. `open`: it moved, the ledger does not have it. `doubt`: it may have moved. `confirms`: a webhook. */
export type LineKind = "solid" | "open" | "doubt" | "by_hand" | "confirms";

export interface DrawnMark {
  readonly id: string;
  readonly x: number;
  readonly glyph: GlyphName;
  readonly tone?: Tone | undefined;
  readonly href?: string | undefined;
  readonly spoken: string;
}

interface DrawnLedger {
  readonly marks: readonly {
    readonly id: string;
    readonly x: number;
    readonly text: string;
    readonly labelled: boolean;
    readonly side: "left" | "right";
  }[];
  readonly result: string;
  readonly note: string;
}

export interface ReferenceEvent {
  readonly id: string;
  readonly lane: string;
  readonly laneName: string;
  readonly at: string;
  readonly glyph: GlyphName;
  readonly tone?: Tone | undefined;
  readonly text: string;
  readonly href?: string | undefined;
  /** How it touches the ledger. */
  readonly line?: LineKind | undefined;
}

/** An action of one key; it is done on the page of that key. */
export interface ReferenceAction {
  readonly id: string;
  readonly label: string;
  readonly effect: string;
  readonly href?: string | undefined;
  readonly verb?: string | undefined;
  readonly whyNot?: ActionView["whyNot"];
}

/** References found by customer, amount and day. */
export type ReferenceSearch =
  | {
      readonly kind: "found";
      readonly hits: readonly ReferenceHit[];
      /** There are more than are shown. */
      readonly more: boolean;
      /** Rows that were looked at, where the search stopped at its limit. */
      readonly lookedAt?: number | undefined;
    }
  | TooBroad;

export interface ReferenceHit {
  readonly id: string;
  /** None: the key carries no reference. */
  readonly reference?: string | undefined;
  readonly href: string;
  readonly customer?: string | undefined;
  /** Of its newest key. */
  readonly money?: MoneyView | undefined;
  /** Keys among what was found. */
  readonly keys: number;
  readonly lastAt: string;
}
