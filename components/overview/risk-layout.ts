import { gridOf } from "@/components/charts/axis";
import { displayMoney } from "@/domain/money";
import { formatCount } from "@/presentation/format/display-time";
import type { RiskMark, RiskSeries, RiskView } from "@/presentation/views/risk";

/** Units of the drawing in each direction; it is stretched to its place. */
export const UNITS = 1_000;

export interface RiskLayout {
  /** One path per step of age, the oldest first, which lies at the bottom. */
  readonly areas: readonly { readonly step: number; readonly path: string }[];
  /** The upper edge of all. */
  readonly top: string;
  /** Width from the left of which nothing is known. */
  readonly gap: number;
  /** Grid lines above the base, per cent of the height from the top. */
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
}

/** Lays one currency on its axes. A value holds from its point to the next one, of which it is the most. */
export function riskLayout({ points, unknown }: Pick<RiskView, "points" | "unknown">, series: RiskSeries): RiskLayout {
  const [first, last] = [Date.parse(points[0] ?? ""), Date.parse(points.at(-1) ?? "")];
  const x = (index: number): number => ((Date.parse(points[index] ?? "") - first) / Math.max(1, last - first)) * UNITS;
  // Without money the operations themselves are counted.
  const money = series.currency !== "";
  const values = series.steps.map(({ minor, counts }) => (money ? minor.map(Number) : [...counts]));
  const totals = points.map((_, index) => values.reduce((sum, step) => sum + (step[index] ?? 0), 0));
  const grid = gridOf(Math.max(1, ...totals), "count");
  const most = grid.at(-1) ?? 1;
  const y = (value: number): number => UNITS - (value / most) * UNITS;
  const below = points.map(() => 0);
  const areas = [...values.keys()].reverse().map((step) => {
    const base = [...below];
    for (const index of below.keys()) below[index] = (below[index] ?? 0) + (values[step]?.[index] ?? 0);
    return { step, path: areaOf(below, base, x, y) };
  });
  return {
    areas: areas.filter(({ path }) => path !== ""),
    top: along(totals, Math.min(unknown, points.length - 1), points.length - 1, x, y, "M"),
    gap: unknown === 0 ? 0 : x(Math.min(unknown, points.length - 1)),
    ticks: grid.slice(1).map((value) => ({ y: (y(value) / UNITS) * 100, label: tickLabel(value, series.currency) })),
  };
}

type Scale = (value: number) => number;

/** Stretches in which there is something, each as steps along the top and back along the base. */
function areaOf(top: readonly number[], base: readonly number[], x: Scale, y: Scale): string {
  const parts: string[] = [];
  let start: number | undefined;
  for (let index = 0; index <= top.length; index += 1) {
    const filled = index < top.length && (top[index] ?? 0) > (base[index] ?? 0);
    if (filled && start === undefined) start = index;
    if (filled || start === undefined) continue;
    const end = Math.min(index, top.length - 1);
    if (end > start) parts.push(`${along(top, start, end, x, y, "M")}${back(base, start, end, x, y)}Z`);
    start = undefined;
  }
  return parts.join("");
}

/** From a point to another one, a step where the value changes. */
function along(values: readonly number[], from: number, to: number, x: Scale, y: Scale, start: "M" | "L"): string {
  let path = `${start}${short(x(from))} ${short(y(values[from] ?? 0))}`;
  for (let index = from + 1; index < to; index += 1)
    if (values[index] !== values[index - 1]) path += `H${short(x(index))}V${short(y(values[index] ?? 0))}`;
  path += `H${short(x(to))}`;
  // The last point has no width of its own.
  return values[to] === values[to - 1] || to !== values.length - 1 ? path : `${path}V${short(y(values[to] ?? 0))}`;
}

function back(values: readonly number[], from: number, to: number, x: Scale, y: Scale): string {
  let path = `V${short(y(values[to - 1] ?? 0))}`;
  for (let index = to - 1; index > from; index -= 1)
    if (values[index] !== values[index - 1]) path += `H${short(x(index))}V${short(y(values[index - 1] ?? 0))}`;
  return `${path}H${short(x(from))}`;
}

const short = (value: number): string => String(Math.round(value * 10) / 10);

const LARGE = [
  { from: 1e12, by: 1e12, word: "tn" },
  { from: 1e9, by: 1e9, word: "bn" },
  { from: 1e7, by: 1e6, word: "M" },
];

/** "€40,000", "€1.2 M": a grid line is round, so nothing is lost. @param value minor units, or operations without a currency */
export function tickLabel(value: number, currency: string): string {
  if (currency === "") return formatCount(value);
  const whole = displayMoney(BigInt(Math.round(value)), currency).replace(/\.0+(?=$| )/, "");
  const major = Number(whole.replace(/[^\d.]/g, ""));
  const large = LARGE.find(({ from }) => major >= from);
  if (large === undefined) return whole;
  return whole.replace(/[\d,.]+/, `${String(Number((major / large.by).toPrecision(3)))} ${large.word}`);
}

export interface PlacedMark {
  readonly mark: RiskMark;
  /** Per cent of the width. */
  readonly x: number;
  readonly width: number;
  /** None where another one's words stand. */
  readonly label?: string | undefined;
  /** Only a wide screen has room for the words. */
  readonly wideOnly?: boolean | undefined;
}

/** Marks that are drawn; the table has all of them. */
export const DRAWN_MARKS = 40;
const LABEL_LETTERS = 30;
/** Widths of a plot that words are placed for, px: of a screen of 1440, and the narrowest that shows words. */
const PLOTS = { wide: 900, narrow: 640 } as const;
/** Of a letter and beside a word, px. */
const LETTER = 6.2;
const GAP = 10;

/** Marks on the axis of time, the newest if there are too many; words where there is room, incidents first. */
export function placeMarks(marks: readonly RiskMark[], { from, to }: RiskView["time"]): readonly PlacedMark[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const percent = (iso: string): number =>
    Math.min(100, Math.max(0, ((Date.parse(iso) - first) / Math.max(1, last - first)) * 100));
  const placed = marks.slice(-DRAWN_MARKS).map((mark): PlacedMark => {
    const x = percent(mark.at);
    const label = mark.label.length > LABEL_LETTERS ? `${mark.label.slice(0, LABEL_LETTERS - 1)}…` : mark.label;
    return { mark, x, width: mark.until === undefined ? 0 : percent(mark.until) - x, label };
  });
  const [wide, narrow] = [worded(placed, PLOTS.wide), worded(placed, PLOTS.narrow)];
  return placed.map(({ label, ...each }) => ({
    ...each,
    label: wide.has(each.mark.id) ? label : undefined,
    wideOnly: !narrow.has(each.mark.id),
  }));
}

/** The marks whose words stand beside no other's on a plot of this width. */
function worded(placed: readonly PlacedMark[], plot: number): ReadonlySet<string> {
  const taken: { readonly from: number; readonly to: number }[] = [];
  const ids = new Set<string>();
  for (const { mark, x, width, label = "" } of [...placed].sort((a, b) => rank(a.mark) - rank(b.mark))) {
    const half = (label.length * LETTER + GAP) / 2;
    // The bar of an incident is as wide as it lasted, a pause stands where it began.
    const middle = mark.kind === "incident" ? x + width / 2 : x;
    const at = Math.min(plot - half, Math.max(half, (middle / 100) * plot));
    if (taken.some((each) => at - half < each.to && at + half > each.from)) continue;
    taken.push({ from: at - half, to: at + half });
    ids.add(mark.id);
  }
  return ids;
}

function rank({ kind }: RiskMark): number {
  return kind === "incident" ? 0 : 1;
}
