import { SAMPLE_ID, SAMPLE_NOW } from "@/components/parts/part";
import { bucketStarts } from "@/domain/metrics/chart-window";
import { binCount, type BinMeasure } from "@/domain/metrics/bins";
import { heatWindow, type HeatMeasure } from "@/domain/metrics/heatmap";
import { buildDistribution } from "@/presentation/metrics/distribution";
import { buildHeatmap, type HeatInput, type HeatSamples } from "@/presentation/metrics/heatmap";
import { cellFilters, cellListHref } from "@/presentation/metrics/heatmap-links";
import type { HeatmapView, HeatSelection } from "@/presentation/views/heatmap";

export const HEAT_WINDOW = heatWindow("6h", SAMPLE_NOW);
const COLUMNS = HEAT_WINDOW.buckets;
export const LAST_COLUMN = COLUMNS - 1;
export const HEAT_ADDRESS = { path: "/metrics/clients", search: {} };
export const LONG_CLIENT = `merchant-${"of-a-very-long-name-".repeat(9)}end`.slice(0, 200);

export const wholeMinutes = (except: readonly number[] = []): HeatSamples["minutes"] =>
  Array.from({ length: COLUMNS }, (_, slot) => ({ slot, minutes: 15 })).filter(({ slot }) => !except.includes(slot));
/** @param counts per client, one number for each cell from the first on */
export function heatSamples(counts: Readonly<Record<string, readonly number[]>>, clients?: number): HeatSamples {
  const rows = Object.entries(counts);
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  return {
    minutes: wholeMinutes(),
    cells: [
      ...rows.flatMap(([client, values]) =>
        values.flatMap((count, slot) =>
          count === 0
            ? []
            : [
                {
                  client,
                  slot,
                  count,
                  total: sum(values),
                  clients: clients ?? rows.length,
                  found: clients ?? rows.length,
                },
              ],
        ),
      ),
      ...Array.from({ length: COLUMNS }, (_, slot) => ({ slot, count: sum(rows.map(([, each]) => each[slot] ?? 0)) })),
    ],
  };
}
export const flatCounts = (count: number, changes: Readonly<Record<number, number>> = {}): readonly number[] =>
  Array.from({ length: COLUMNS }, (_, slot) => changes[slot] ?? count);

export const HEAT_NOW = heatSamples({
  "till-web": flatCounts(52, { 21: 412, 22: 96 }),
  "till-ios": flatCounts(17, { 0: 9, 21: 120 }),
  "load-test": flatCounts(0, { 6: 11, 7: 18, 8: 12 }),
});
export const HEAT_BEFORE = heatSamples({
  "till-web": flatCounts(45),
  "till-ios": flatCounts(17),
  "load-test": flatCounts(0, { 6: 11, 7: 18, 8: 12 }),
});

export function sampleDistribution(measure: BinMeasure, never = 0, known = true, providerLimitMs?: number) {
  const times = bucketStarts({ ...HEAT_WINDOW, bucketSeconds: 300, buckets: 72 });
  const shape = [6, 12, 31, 410, 370, 70, 10, 4, 1];
  return buildDistribution({
    measure,
    window: { ...HEAT_WINDOW, bucketSeconds: 300, buckets: 72 },
    times,
    minutes: known ? times.map((_, slot) => ({ slot, minutes: 5 })).filter(({ slot }) => slot > 5) : [],
    bins: known
      ? times.flatMap((_, slot) =>
          Array.from({ length: binCount(measure) }, (_, bin) => ({
            slot,
            bin,
            count: shape[bin] ?? (slot === 63 ? never : 0),
          })),
        )
      : [],
    at: SAMPLE_NOW,
    providerLimitMs,
  });
}

export function sampleHeatmap(changes: Partial<HeatInput> = {}, more: Partial<HeatmapView> = {}): HeatmapView {
  const input: HeatInput = {
    ...{ measure: "replayed", range: "6h", compare: "last-week", page: 1, window: HEAT_WINDOW },
    ...{ until: "2026-11-22T14:30:00.000Z", due: "2026-11-22T14:28:00.000Z", now: HEAT_NOW, before: HEAT_BEFORE },
    ...changes,
  };
  const built = buildHeatmap(input);
  const { measure, range, compare, find, page, window, until } = input;
  return {
    ...{ at: SAMPLE_NOW, measure, range, compare, find, page, window, until, ...built },
    pages: Math.max(1, Math.ceil(built.clients / 8)),
    distributions: [sampleDistribution("first_answer", 48), sampleDistribution("retry_delay")],
    rolledUpMs: 22_000,
    ...more,
  };
}

export const SAMPLE_MAP = sampleHeatmap();
const FROM = bucketStarts(HEAT_WINDOW)[21] ?? "";
const TO = bucketStarts(HEAT_WINDOW)[22] ?? "";
const MONEY = {
  minor: "999999999999999",
  amount: "9999999999999.99",
  currency: "EUR",
  display: "€9,999,999,999,999.99",
};
export const cellOperation = (count: number, key: string) => ({
  ...{ operationId: `${SAMPLE_ID.slice(0, -2)}${String(count).padStart(2, "0")}`, key, kind: "Payment", count },
  state: "COMPLETED" as const,
  money: MONEY,
});
export const sampleCell = (changes: Partial<HeatSelection> = {}, measure: HeatMeasure = "replayed"): HeatSelection => ({
  ...{ client: "till-web", from: FROM, to: TO, counted: 412, compared: 45 },
  href: cellListHref(cellFilters(measure, "till-web", { from: FROM, to: TO })),
  found: {
    ...{ answers: 412, operations: 96, purged: 0 },
    top: [14, 12, 11, 9, 8].map((count) => cellOperation(count, `till-7-20261122-882${String(count)}-pay-1`)),
  },
  retries: { cell: [0, 20, 64, 10, 6, 0, 0, 0, 0], window: [0, 40, 80, 300, 200, 80, 0, 0, 0] },
  ...changes,
});
