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
      /** For programs that draw it; the page has a line for notes below the marks. */
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
const BREAK_RATIO = 4;
/** … and when the quiet that is cut out is at least as long as the head. */
const QUIET_RATIO = 1.5;
const HEAD_SHARE = 0.44;
/** Of the width, when nothing but the present is behind the break. */
const PRESENT_SHARE = 0.08;
/** Of the width: two marks that are nearer cannot be told apart. */
const LEGIBLE_SHARE = 0.02;
/** Of the whole span: what lies nearer together than this is one moment to a reader of the whole. */
const MOMENT_SHARE = 0.001;

/** Something that was under way, such as a call; epoch milliseconds. */
export interface BusySpan {
  readonly from: number;
  readonly to: number;
}

interface Quiet {
  readonly left: number;
  readonly right: number;
}

type Stretches = TimelineView["stretches"];

/**
 * Splits a span of time into one or two stretches: a dense head and a long tail, so that seconds stay visible beside
 * hours. The break lies where nothing was under way, in the quiet that leaves most marks apart from each other; of
 * several such, in the longest.
 * @param moments epoch milliseconds of everything that is drawn, in any order
 * @param end right edge of the axis (now, or the last moment)
 * @param busy what the break may not lie in
 */
export function axisStretches(moments: readonly number[], end: number, busy: readonly BusySpan[] = []): Stretches {
  const sorted = [...moments].sort((a, b) => a - b);
  const from = sorted[0] ?? end - 1000;
  const whole = Math.max(end - from, 1);
  const grain = whole * MOMENT_SHARE;
  const quiets = quietsOf(sorted, end).filter(
    ({ left, right }) =>
      left > from &&
      whole / (left - from) >= BREAK_RATIO &&
      right - left >= QUIET_RATIO * (left - from) &&
      !busy.some((span) => span.from < right && span.to > left),
  );
  const worthwhile = quiets.filter(({ left }) => left - from > grain);
  let best: { readonly stretches: Stretches; readonly apart: number; readonly length: number } | undefined;
  for (const quiet of worthwhile.length > 0 ? worthwhile : quiets) {
    const stretches = brokenAt(quiet, from, end);
    const apart = marksApart(sorted, stretches, grain);
    const length = quiet.right - quiet.left;
    if (best === undefined || apart > best.apart || (apart === best.apart && length > best.length))
      best = { stretches, apart, length };
  }
  return best?.stretches ?? [{ from, to: Math.max(end, from + 1), share: 1 }];
}

/** Between each moment and the next, from the second on: one alone is no head. */
function quietsOf(sorted: readonly number[], end: number): readonly Quiet[] {
  return sorted.slice(1).map((left, index) => ({ left, right: sorted[index + 2] ?? end }));
}

function brokenAt({ left, right }: Quiet, from: number, end: number): Stretches {
  const headEnd = left + Math.min((left - from) * 0.6, (right - left) / 2);
  if (right >= end) {
    return [
      { from, to: headEnd, share: 1 - PRESENT_SHARE },
      { from: end - 1, to: end, share: PRESENT_SHARE },
    ];
  }
  return [
    { from, to: headEnd, share: HEAD_SHARE },
    { from: right - (end - right) * 0.02, to: end, share: 1 - HEAD_SHARE },
  ];
}

/** How many neighbours a reader can tell apart, of those that are not one moment. */
function marksApart(sorted: readonly number[], stretches: Stretches, grain: number): number {
  const places = sorted.map((at) => axisShare(stretches, at));
  return sorted.filter((at, index) => {
    if (index === 0) return false;
    const distance = (places[index] ?? 0) - (places[index - 1] ?? 0);
    return at - (sorted[index - 1] ?? at) > grain && distance >= LEGIBLE_SHARE;
  }).length;
}

/** @returns where a moment lies, 0 to 1 of the drawn stretches; inside the break, at its beginning */
function axisShare(stretches: Stretches, at: number): number {
  let left = 0;
  for (const { from, to, share } of stretches) {
    if (at <= to) return left + (share * Math.max(0, at - from)) / Math.max(1, to - from);
    left += share;
  }
  return left;
}

const TICK_STEPS_S = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 10_800, 21_600,
  86_400,
];
const TICKS_PER_STRETCH = 5;

/**
 * Marks of the axis: the clock at the beginning, then steps from it ("+5 s") while they are short; the clock again
 * after a break. Every second one is minor.
 * @param now where the axis ends at the present, which has a label of its own; undefined where it ends at its last moment
 */
export function axisTicks(stretches: TimelineView["stretches"], now: number | undefined): readonly AxisTick[] {
  return stretches.flatMap((stretch, index) => {
    if (stretch.share <= PRESENT_SHARE)
      return now === undefined ? [{ at: stretch.to, label: clock(stretch.to, true) }] : [];
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
