import {
  formatAge,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  momentOf,
  zonedMinute,
} from "@/presentation/format/display-time";
import type { Zone } from "@/domain/time-zone";
import type { ChartUnit } from "./types";

const DAY_MS = 86_400_000;
const MINUTES = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440, 2_880, 7_200, 10_080, 43_200];
const MINUTE_MS = 60_000;

/** Length of one bucket, ms. @param times starts of the buckets, RFC 3339 */
export function bucketMs(times: readonly string[]): number {
  return times.length > 1 ? Date.parse(times[1] ?? "") - Date.parse(times[0] ?? "") : MINUTE_MS;
}

/** Some buckets as a time: from the beginning of the first to the end of the last, RFC 3339. */
export function spanOf(times: readonly string[], first: number, last: number): { from: string; to: string } {
  return {
    from: times[first] ?? "",
    to: new Date(Date.parse(times[last] ?? "") + bucketMs(times)).toISOString(),
  };
}

/** Moments that are round on a clock of the zone: the narrowest step that gives at most `most` labels. */
export function axisTimes(times: readonly string[], most: number, zone: Zone = "utc"): readonly string[] {
  const from = Date.parse(times[0] ?? "");
  const to = Date.parse(times.at(-1) ?? "");
  if (Number.isNaN(from) || Number.isNaN(to)) return [];
  const step = (MINUTES.find((minutes) => (to - from) / (minutes * MINUTE_MS) <= most) ?? 43_200) * MINUTE_MS;
  const clockOf = (ms: number): number => Date.parse(`${zonedMinute(new Date(ms).toISOString(), zone)}Z`);
  const first = Math.ceil(clockOf(from) / step) * step;
  const labels: string[] = [];
  for (let clock = first; clock <= clockOf(to) && labels.length <= most; clock += step) {
    const at = momentOf(new Date(clock).toISOString().slice(0, 16), zone);
    // Where a clock goes back, an hour of it comes twice.
    if (at !== undefined && Date.parse(at) >= from && Date.parse(at) <= to && !labels.includes(at)) labels.push(at);
  }
  return labels;
}

/** A moment of the axis: a clock within a day, "20 Nov" where labels are days apart, both in between. */
export function axisText(iso: string, labels: readonly string[], zone: Zone): string {
  const [first = iso, second = iso] = labels;
  const last = labels.at(-1) ?? iso;
  if (Date.parse(second) - Date.parse(first) >= DAY_MS) return dayOf(iso, zone);
  const overDays = Date.parse(last) - Date.parse(first) >= DAY_MS / 2 && dayOf(first, zone) !== dayOf(last, zone);
  return overDays ? formatDay(iso, zone, iso) : clockText(iso, zone);
}

/** Of a figure or letter of the axis, pixels: its labels are not measured. */
const LETTER = 6.4;

/** Where a label of the axis stands: in the middle of its moment, and inside of the axis at both ends. @param at per cent of the axis */
export function labelPlace(at: number, text: string): { left: string } {
  const width = Math.ceil(text.length * LETTER);
  const left = `clamp(0px, calc(${at.toFixed(3)}% - ${String(width / 2)}px), calc(100% - ${String(width)}px))`;
  return { left };
}

function dayOf(iso: string, zone: Zone): string {
  return formatDay(iso, zone, iso).split(",")[0] ?? "";
}

/** "14:02". */
export function clockText(iso: string, zone: Zone): string {
  return formatClock(iso, zone).slice(0, 5);
}

/** A bucket in a table or a read-out: with its day when the axis covers more than one. */
export function bucketText(iso: string, times: readonly string[], zone: Zone): string {
  const days = dayOf(times[0] ?? iso, zone) !== dayOf(times.at(-1) ?? iso, zone);
  return days ? formatDay(iso, zone, iso) : clockText(iso, zone);
}

/** Nothing was rolled up: how many there were is not known, which is not none. */
export const NO_DATA = "no data";

/** A value in words of its unit. A time or a share without a value had nothing to measure; a count without one was not counted. */
export function spokenValue(value: number | null | undefined, unit: ChartUnit = "count"): string {
  if (value === null || value === undefined) return unit === "count" ? NO_DATA : "none";
  if (unit === "ms") return formatDuration(value);
  return unit === "share" ? `${(value * 100).toFixed(value < 0.1 ? 2 : 1)} %` : formatCount(value);
}

/** ms; the last ones are 1, 2, 7 and 30 days */
const STEPS_OF_TIME = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
  3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 2_592_000_000,
];
const GRID_LINES = 3;

/** At most three grid lines above the base; the last one is the top of the chart. */
export function gridOf(highest: number, unit: ChartUnit): readonly number[] {
  const step = unit === "ms" ? timeStep(highest) : roundStep(highest, unit === "share" ? 0.0001 : 1);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

function timeStep(highest: number): number {
  return STEPS_OF_TIME.find((step) => highest / step <= GRID_LINES) ?? highest / GRID_LINES;
}

function roundStep(highest: number, least: number): number {
  const rough = Math.max(least, highest / GRID_LINES);
  const magnitude = 10 ** Math.floor(Math.log10(rough) + 1e-9);
  const step = [1, 2, 5, 10].find((factor) => factor * magnitude >= rough * 0.999999) ?? 10;
  return step * magnitude;
}

/** A duration as exact as a narrow column is wide. @param ms milliseconds */
export function shortDuration(ms: number): string {
  return ms < MINUTE_MS ? formatDuration(ms) : formatAge(ms);
}

const UNITS_OF_TIME = [
  { ms: DAY_MS, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: MINUTE_MS, name: "min" },
  { ms: 1_000, name: "s" },
  { ms: 1, name: "ms" },
];

/** A grid line in one number and one unit: "1.5 h", "5 s", "20 %". */
export function tickText(value: number, unit: ChartUnit): string {
  if (value === 0) return "0";
  if (unit === "share") return `${String(Number((value * 100).toPrecision(3)))} %`;
  if (unit === "count") return formatCount(value);
  const { ms, name } = UNITS_OF_TIME.find((each) => value >= each.ms) ?? { ms: 1, name: "ms" };
  return `${String(Number((value / ms).toPrecision(3)))} ${name}`;
}
