import { AGE_STEPS, type RiskTime } from "@/domain/metrics/risk";
import type { RiskSeries } from "../views/risk";

/** A change at a point, as the read gives them. */
export interface DoubtChange {
  readonly currency: string;
  readonly step: number;
  readonly index: number;
  readonly minor: string;
  readonly count: number;
}

/**
 * Adds the changes up along the points: one line per currency and step of age. Sums are bigint.
 * @param unknown points from the first one on that are not known; they are 0 here and a gap in the drawing
 */
export function riskSeries(
  changes: readonly DoubtChange[],
  { steps }: Pick<RiskTime, "steps">,
  unknown = 0,
): readonly RiskSeries[] {
  const currencies = [...new Set(changes.map(({ currency }) => currency))];
  return currencies
    .map((currency) => seriesOf(changes, currency, steps + 1, unknown))
    .filter(({ counts }) => counts.some((count) => count > 0))
    .sort((a, b) => weight(b) - weight(a) || a.currency.localeCompare(b.currency));
}

/** What is about money comes first, then the currency that most operations were in doubt in. */
function weight({ currency, counts }: RiskSeries): number {
  return currency === "" ? -1 : Math.max(...counts);
}

function seriesOf(changes: readonly DoubtChange[], currency: string, size: number, unknown: number): RiskSeries {
  const steps = AGE_STEPS.map(({ label }, step) => {
    const own = changes.filter((change) => change.currency === currency && change.step === step);
    const minor = new Array<bigint>(size).fill(0n);
    const counts = new Array<number>(size).fill(0);
    for (const { index, minor: by, count } of own) {
      minor[index] = (minor[index] ?? 0n) + BigInt(by);
      counts[index] = (counts[index] ?? 0) + count;
    }
    for (let index = 1; index < size; index += 1) {
      minor[index] = (minor[index] ?? 0n) + (minor[index - 1] ?? 0n);
      counts[index] = (counts[index] ?? 0) + (counts[index - 1] ?? 0);
    }
    minor.fill(0n, 0, unknown);
    counts.fill(0, 0, unknown);
    return { label, minor: minor.map(String), counts };
  });
  const at = (index: number): bigint => steps.reduce((sum, { minor }) => sum + BigInt(minor[index] ?? "0"), 0n);
  const points = Array.from({ length: size }, (_, index) => index);
  return {
    currency,
    steps,
    totals: points.map((index) => at(index).toString()),
    counts: points.map((index) => steps.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)),
  };
}
