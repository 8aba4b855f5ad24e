import { axisStretches, type AxisStretch } from "../operation/chain";
import type { Zone } from "@/domain/time-zone";
import { formatClock, formatDay, zoneOffset } from "../format/display-time";
import type { ReferenceChart } from "../views/references";

/** Part of the width that the break of the axis takes, in per cent. */
const BREAK_WIDTH = 4;
/** Free room at the ends, so that no mark is cut. */
const MARGIN = 2;
const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000,
  2_592_000_000,
];
/** Room of one label, in per cent of an axis of 580 px: of "18:48", of "18:48:52", of "18:48:52.060" or a day. */
const LABEL_WIDTH = 8;
const SECONDS_LABEL_WIDTH = 11;
const LONG_LABEL_WIDTH = 15;
const DAY_MS = 86_400_000;

export interface Axis extends Pick<ReferenceChart, "ticks" | "breakAt"> {
  /** @returns where a moment lies, in per cent of the width */
  readonly place: (at: string) => number;
}

/**
 * One time axis to scale that may break once.
 * @param end right edge: now, or the last moment
 * @param zone of the clock on which labels are round
 */
export function axisOf(moments: readonly string[], end: string | undefined, zone: Zone): Axis {
  // Only operations that move no money carry the reference.
  if (moments.length === 0) return { place: () => MARGIN, ticks: [], breakAt: undefined };
  const times = moments.map((at) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const stretches = axisStretches(times, Math.max(last, end === undefined ? last : Date.parse(end)));
  const width = 100 - 2 * MARGIN - (stretches.length === 2 ? BREAK_WIDTH : 0);
  const starts = stretches.map((_, index) => MARGIN + (index === 0 ? 0 : width * stretches[0].share + BREAK_WIDTH));
  const place = (at: number): number => {
    const index = stretches.length === 2 && at > stretches[0].to ? 1 : 0;
    const stretch = stretches[index] ?? stretches[0];
    return (starts[index] ?? MARGIN) + width * stretch.share * part(stretch, at);
  };
  const dayOf = (at: number): number => Math.floor((at + zoneOffset(at, zone)) / DAY_MS);
  const days = dayOf(first) !== dayOf(Math.max(last, stretches.at(-1)?.to ?? last));
  return {
    place: (at) => place(Date.parse(at)),
    ticks: roomy(stretches.flatMap((stretch) => ticksOf(stretch, width * stretch.share, place, { days, zone }))),
    breakAt: stretches.length === 2 ? { x: MARGIN + width * stretches[0].share, width: BREAK_WIDTH } : undefined,
  };
}

/** Beside the break two labels may touch: the later one stays, it says where time goes on. */
function roomy(ticks: readonly PlacedTick[]): ReferenceChart["ticks"] {
  return ticks
    .filter(({ x, room }, index) => {
      const next = ticks[index + 1];
      return next === undefined || next.x - x >= (room + next.room) / 2;
    })
    .map(({ x, label }) => ({ x, label }));
}

function part(stretch: AxisStretch, at: number): number {
  return Math.min(1, Math.max(0, (at - stretch.from) / Math.max(1, stretch.to - stretch.from)));
}

function ticksOf(
  stretch: AxisStretch,
  width: number,
  place: (at: number) => number,
  clock: LabelClock,
): readonly PlacedTick[] {
  const offset = zoneOffset(stretch.from, clock.zone);
  const span = stretch.to - stretch.from;
  const step =
    STEPS_MS.find((each) => span / each <= Math.max(1, Math.floor(width / roomOf(each, clock)))) ?? DAY_MS * 365;
  const room = roomOf(step, clock);
  const ticks: PlacedTick[] = [];
  for (let at = Math.ceil((stretch.from + offset) / step) * step - offset; at <= stretch.to; at += step)
    ticks.push({ x: place(at), label: label(at, step, clock), room });
  if (ticks.length > 0) return ticks;
  return [{ x: place(stretch.from), label: label(Math.round(stretch.from), 1_000, clock), room }];
}

interface PlacedTick {
  readonly x: number;
  readonly label: string;
  /** In per cent of the width. */
  readonly room: number;
}

function roomOf(step: number, { days }: LabelClock): number {
  if (days || step < 1_000) return LONG_LABEL_WIDTH;
  return step < 60_000 ? SECONDS_LABEL_WIDTH : LABEL_WIDTH;
}

interface LabelClock {
  /** The axis covers more than one day. */
  readonly days: boolean;
  readonly zone: Zone;
}

function label(at: number, step: number, { days, zone }: LabelClock): string {
  const iso = new Date(at).toISOString();
  if (step < 1_000) return formatClock(iso, zone, true);
  if (days && step >= 60_000) return formatDay(iso, zone, iso);
  const clock = formatClock(iso, zone);
  return step < 60_000 ? clock : clock.slice(0, 5);
}

/** Least distance of two marks of one lane, in per cent of an axis of 580 px: 24 px, the target size of WCAG 2.2 (2.5.8). */
const APART = 4.2;
/** Room of "+12" behind the last mark, in per cent of the same axis: its margin and three letters, within the axis. */
const COUNT_WIDTH = 7;

/**
 * Places of the marks of one lane: where two would touch they stand side by side.
 * @param fixed index of the mark that stays where it is while there is room before it, because a line goes down from it
 * @param counted whether the number of those that are not drawn stands behind the last one
 */
export function apart(places: readonly number[], fixed: number | undefined, counted: boolean): readonly number[] {
  const result = [...places];
  const from = fixed ?? 0;
  for (let n = from + 1; n < result.length; n += 1) result[n] = Math.max(result[n] ?? 0, (result[n - 1] ?? 0) + APART);
  for (let n = from - 1; n >= 0; n -= 1) result[n] = Math.min(result[n] ?? 0, (result[n + 1] ?? 0) - APART);
  // Many of one moment at the beginning: the first stays on the axis, the others stand behind it.
  if (result[0] !== undefined) result[0] = Math.max(0, result[0]);
  for (let n = 1; n < result.length; n += 1) result[n] = Math.max(result[n] ?? 0, (result[n - 1] ?? 0) + APART);
  const over = (result.at(-1) ?? 0) - (counted ? 100 - COUNT_WIDTH : 100);
  return over > 0 ? result.map((x) => Math.max(0, x - over)) : result;
}
