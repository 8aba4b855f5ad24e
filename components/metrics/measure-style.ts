import type { ChartUnit, Draw, SeriesColor } from "@/components/charts/types";
import type { MeasureChart, MeasureName, MeasureSeries } from "@/presentation/views/metrics";

/** How a measure is drawn while it is not divided; lines where it is. */
const LOOKS: Readonly<Partial<Record<MeasureName, { readonly draw: Draw; readonly color: SeriesColor }>>> = {
  executed: { draw: "bars", color: "executed" },
  replayed: { draw: "outline", color: "replayed" },
  in_progress: { draw: "bars", color: "in-progress" },
  conflict: { draw: "bars", color: "conflict" },
  expired_retry: { draw: "bars", color: "expired" },
  suppressed: { draw: "outline", color: "replayed" },
  unknown: { draw: "dashed", color: "unknown" },
  conflict_rate: { draw: "line", color: "conflict" },
  replay_ratio: { draw: "line", color: "replayed" },
};
const GROUP_COLORS: readonly SeriesColor[] = ["ink", "1", "2", "3", "4", "5", "rest"];
/** Lines also differ by dash, so that no one has to tell their colours apart. */
const DASHES: readonly (string | undefined)[] = [undefined, undefined, "7 3", "2 2", "9 3 2 3", "4 4", "1 3"];

interface MeasureStyle {
  readonly draw: Draw;
  readonly color: SeriesColor;
  readonly dash?: string | undefined;
}

/** @returns how one line of a measure looks: its own way, or that of its place among the groups. */
export function measureStyle(name: MeasureName, { slot }: Pick<MeasureSeries, "slot">): MeasureStyle {
  if (slot === 0) return LOOKS[name] ?? { draw: "line", color: "ink" };
  return { draw: "line", color: GROUP_COLORS[slot] ?? "rest", dash: name === "latency" ? "4 3" : DASHES[slot] };
}

/** Charts of one measure differ by their currency. Money is drawn in its major unit. */
export function chartNames({ name, title, unit, currency }: MeasureChart) {
  const drawn: ChartUnit = unit === "money" ? "count" : unit;
  return currency === undefined
    ? { id: name, title, unit: drawn }
    : { id: `${name}-${currency.toLowerCase()}`, title: `${title}, ${currency}`, unit: drawn };
}
