import type { MeasureSeries } from "@/presentation/views/metrics";
import { PLOT_HEIGHT, PLOT_TOP } from "@/components/charts/types";

/** High enough to be hit, also beside another one (WCAG 2.5.8). */
const LINE = 24;
/** The names may stand beside the axis too: six of them need it. */
const AXIS = 22;

export interface EndLabel {
  readonly label: string;
  readonly slot: number;
  /** Distance of the label's upper edge from the top of the plot, px. */
  readonly top: number;
}

/** Names at the end of the lines, beside the last value of each and never over another name. @param highest top of the scale */
export function endLabels(series: readonly MeasureSeries[], highest: number): readonly EndLabel[] {
  const usable = PLOT_HEIGHT - PLOT_TOP;
  const wanted = series
    .map(({ label, slot, values }) => {
      const last = values.findLast((value) => value !== null) ?? 0;
      return { label, slot, top: PLOT_TOP + usable * (1 - Math.min(1, last / highest)) - LINE / 2 };
    })
    .sort((a, b) => a.top - b.top || a.slot - b.slot);
  const lowest = PLOT_HEIGHT + AXIS - LINE;
  const placed: EndLabel[] = [];
  for (const [index, one] of wanted.entries()) {
    const room = lowest - (wanted.length - 1 - index) * LINE;
    placed.push({
      ...one,
      top: Math.round(Math.min(room, Math.max(0, one.top, (placed.at(-1)?.top ?? -LINE) + LINE))),
    });
  }
  return placed;
}
