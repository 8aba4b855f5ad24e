import type { AnswerOutcome } from "./states";
import type { GlyphName, Tone } from "./glyph";

/**
 * View models of the chain timeline (LOOK §9). The server computes them, the components only draw: no decision about
 * money or state is made while drawing.
 */

/** The way from one station to the next. `through` runs past a station that is not part of this path. */
export type WayKind = "solid" | "doubt" | "broken" | "due" | "through";

export interface ChainWay {
  readonly kind: WayKind;
  /** Shown in the middle of the line, e.g. "264 ms". */
  readonly duration?: string | undefined;
}

export interface ChainStation {
  /** "Key", "Operation", "Provider", "Outbox", "Inbox", "Ledger" (or a plan's "Frozen" …). */
  readonly name: string;
  /** `empty` draws the dotted ring; a station with `absent` draws no mark at all. */
  readonly glyph: GlyphName;
  readonly tone?: Tone | undefined;
  /** `off`: behind a gap or not yet due, drawn in ink 3. `absent`: not part of this path. Default `on`. */
  readonly presence?: "on" | "off" | "absent" | undefined;
  /** First line under the mark, exact, e.g. "14:02:09.114". */
  readonly time?: string | undefined;
  /** A full id or key; the component cuts it in the middle. */
  readonly id?: string | undefined;
  /** One fact, at most three short lines. */
  readonly facts: readonly string[];
  /** What a screen reader says, e.g. "Provider: sent 14:02:09, no answer, 41 minutes". */
  readonly spoken: string;
  /** Missing: nothing leaves this station (the last one, or those behind a gap). */
  readonly way?: ChainWay | undefined;
}

export interface ChainGap {
  /** Index of the station after which the chain is broken. */
  readonly after: number;
  readonly tone: "doubt" | "broken";
  /** What is missing, at most two lines: "nothing recorded", "after the send". */
  readonly facts: readonly string[];
  readonly spoken: string;
}

export interface ChainView {
  readonly stations: readonly ChainStation[];
  readonly gap?: ChainGap | undefined;
}

/** One station of the six-mark chain in a table cell. */
export type MiniStation =
  | "done"
  | "moving"
  | "waiting"
  | "unknown"
  | "refused"
  | "dead"
  | "missing"
  | "unused"
  | "not_due";

/** Key, Operation, Provider, Outbox, Inbox, Ledger: always six, so that columns line up. */
export type MiniChainView = readonly [
  MiniStation,
  MiniStation,
  MiniStation,
  MiniStation,
  MiniStation,
  MiniStation,
];

/** Requests of one operation in order of arrival; `total` may be larger than the list (the rest is "+n"). */
export interface AnswersView {
  readonly answers: readonly AnswerOutcome[];
  readonly total: number;
}

/** A stretch of real time on the axis. Two stretches make one break. Times are epoch milliseconds. */
export interface AxisStretch {
  readonly from: number;
  readonly to: number;
  /** Part of the width, all shares add up to 1. */
  readonly share: number;
}

export interface AxisTick {
  readonly at: number;
  /** "14:02:09", "+5 s". */
  readonly label: string;
  /** Left out where there is little room. */
  readonly minor?: boolean | undefined;
}

export type LaneItem =
  | { readonly kind: "mark"; readonly at: number; readonly glyph: GlyphName; readonly tone?: Tone | undefined; readonly title: string }
  | { readonly kind: "tick"; readonly at: number; readonly title: string }
  | { readonly kind: "bar"; readonly from: number; readonly to: number; readonly tone: "ink" | "doubt"; readonly label?: string | undefined; readonly title: string }
  | { readonly kind: "way"; readonly from: number; readonly to: number; readonly tone: "ink" | "doubt" | "broken"; readonly capped?: boolean | undefined; readonly title: string }
  | { readonly kind: "note"; readonly at: number; readonly text: string; readonly tone: Tone; readonly place: "beside" | "below" | "above" };

export interface Lane {
  /** "Requests", "Lease", "Provider", "Evidence". */
  readonly name: string;
  readonly items: readonly LaneItem[];
}

/** *What happened when*, to scale. */
export interface LanesView {
  readonly stretches: readonly [AxisStretch] | readonly [AxisStretch, AxisStretch];
  readonly ticks: readonly AxisTick[];
  readonly now?: number | undefined;
  readonly lanes: readonly Lane[];
  /** One sentence that says what the picture shows. */
  readonly spoken: string;
}

/** Below this share of the total time, the quiet middle is worth a break of the axis. */
export const BREAK_RATIO = 4;

/**
 * Splits a span of time into one or two stretches: a dense head and a long tail, so that seconds stay visible beside hours.
 * @param moments epoch milliseconds of everything that is drawn, in any order
 * @param end right edge of the axis (now, or the last moment)
 */
export function axisStretches(
  moments: readonly number[],
  end: number,
): readonly [AxisStretch] | readonly [AxisStretch, AxisStretch] {
  const sorted = [...moments].sort((a, b) => a - b);
  const from = sorted[0] ?? end - 1000;
  const whole = Math.max(end - from, 1);
  let split: { left: number; right: number } | undefined;
  for (let i = 1; i < sorted.length; i += 1) {
    const left = sorted[i - 1] ?? from;
    const right = sorted[i] ?? end;
    const head = left - from;
    if (i > 1 && head > 0 && whole / head >= BREAK_RATIO && right - left > head * 0.6) {
      split = { left, right };
      break;
    }
  }
  if (split === undefined) return [{ from, to: Math.max(end, from + 1), share: 1 }];
  const head = split.left - from;
  return [
    { from, to: split.left + head * 0.15, share: 0.44 },
    { from: split.right - (end - split.right) * 0.05, to: Math.max(end, split.right + 1), share: 0.56 },
  ];
}
