import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { GlyphName, Tone } from "../format/glyph";

/**
 * View models of the chain timeline. The server computes them, the components only draw: no decision about
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
  "done" | "moving" | "waiting" | "unknown" | "unconfirmed" | "refused" | "dead" | "missing" | "unused" | "not_due";

/** Key, Operation, Provider, Outbox, Inbox, Ledger: always six, so that columns line up. */
export type MiniChainView = readonly [MiniStation, MiniStation, MiniStation, MiniStation, MiniStation, MiniStation];

/** Requests of one operation in order of arrival; `total` may be larger than the list (the rest is "+n"). */
export interface AnswersView {
  readonly answers: readonly AnswerOutcome[];
  readonly total: number;
}

/** A stretch of real time on the axis. Two stretches make one break. Times are epoch milliseconds. */
export interface AxisStretch {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

export interface AxisTick {
  readonly at: number;
  /** "14:02:09", "+5 s". */
  readonly label: string;
  /** Left out where there is little room. */
  readonly minor?: boolean | undefined;
}

export type TimelineItem =
  | {
      readonly kind: "mark";
      readonly at: number;
      readonly glyph: GlyphName;
      readonly tone?: Tone | undefined;
      readonly title: string;
    }
  | { readonly kind: "tick"; readonly at: number; readonly title: string }
  | {
      readonly kind: "bar";
      readonly from: number;
      readonly to: number;
      readonly tone: "ink" | "doubt";
      readonly label?: string | undefined;
      readonly title: string;
    }
  | {
      readonly kind: "way";
      readonly from: number;
      readonly to: number;
      readonly tone: "ink" | "doubt" | "broken";
      readonly capped?: boolean | undefined;
      readonly title: string;
    }
  | {
      readonly kind: "note";
      readonly at: number;
      readonly text: string;
      readonly tone: Tone;
      readonly place: "beside" | "below" | "above";
    };

export interface TimelineRow {
  /** "Requests", "Lease", "Provider", "Evidence". */
  readonly name: string;
  readonly items: readonly TimelineItem[];
}

/** *What happened when*, to scale. */
export interface TimelineView {
  readonly stretches: readonly [AxisStretch] | readonly [AxisStretch, AxisStretch];
  readonly ticks: readonly AxisTick[];
  readonly now?: number | undefined;
  readonly lanes: readonly TimelineRow[];
  readonly spoken: string;
}

/** The axis breaks only when the whole is at least this many times longer than its dense head. */
export const BREAK_RATIO = 4;
/** … and when the quiet that is cut out is at least as long as the head. */
const QUIET_RATIO = 1.5;
const HEAD_SHARE = 0.44;
/** Of the width, when nothing but the present is behind the break. */
const PRESENT_SHARE = 0.08;

/**
 * Splits a span of time into one or two stretches: a dense head and a long tail, so that seconds stay visible beside
 * hours. The break lies in the pause that is longest in proportion to all that came before it.
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
  let best: { left: number; right: number; ratio: number } | undefined;
  for (let i = 2; i <= sorted.length; i += 1) {
    const left = sorted[i - 1] ?? from;
    const right = sorted[i] ?? end;
    const head = left - from;
    if (head <= 0 || whole / head < BREAK_RATIO) continue;
    const ratio = (right - left) / head;
    if (ratio >= QUIET_RATIO && ratio > (best?.ratio ?? 0)) best = { left, right, ratio };
  }
  if (best === undefined) return [{ from, to: Math.max(end, from + 1), share: 1 }];
  const head = best.left - from;
  const headEnd = best.left + Math.min(head * 0.6, (best.right - best.left) / 2);
  if (best.right >= end) {
    return [
      { from, to: headEnd, share: 1 - PRESENT_SHARE },
      { from: end - 1, to: end, share: PRESENT_SHARE },
    ];
  }
  const tail = end - best.right;
  return [
    { from, to: headEnd, share: HEAD_SHARE },
    { from: best.right - tail * 0.02, to: end, share: 1 - HEAD_SHARE },
  ];
}

const TICK_STEPS_S = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 10_800, 21_600,
  86_400,
];
const TICKS_PER_STRETCH = 5;

/**
 * Marks of the axis: the clock at the beginning, then steps from it ("+5 s") while they are short; the clock again
 * after a break. Every second one is minor.
 */
export function axisTicks(stretches: TimelineView["stretches"]): readonly AxisTick[] {
  return stretches.flatMap((stretch, index) => {
    if (stretch.share <= PRESENT_SHARE) return [];
    const span = (stretch.to - stretch.from) / 1000;
    const step = TICK_STEPS_S.find((s) => span / s <= TICKS_PER_STRETCH) ?? 86_400;
    if (index > 0 || step >= 60) return clockTicks(stretch, step * 1000);
    const ticks: AxisTick[] = [{ at: stretch.from, label: clock(stretch.from, true) }];
    for (let n = 1; n * step < span * 0.97; n += 1) {
      const label = step < 1 ? `+${String(Math.round(n * step * 1000))} ms` : `+${String(n * step)} s`;
      ticks.push({ at: stretch.from + n * step * 1000, label, minor: n % 2 === 1 });
    }
    return ticks;
  });
}

function clockTicks(stretch: AxisStretch, step: number): AxisTick[] {
  const ticks: AxisTick[] = [];
  const first = Math.ceil(stretch.from / step) * step;
  for (let at = first, n = 0; at < stretch.to - step * 0.4; at += step, n += 1) {
    ticks.push({ at, label: step < 1_000 ? clockMillis(at) : clock(at, step < 60_000), minor: n % 2 === 1 });
  }
  return ticks;
}

/** Seconds alone would name several marks alike. */
function clockMillis(at: number): string {
  return new Date(at).toISOString().slice(14, 23);
}

function clock(at: number, seconds: boolean): string {
  return new Date(at).toISOString().slice(11, seconds ? 19 : 16);
}
