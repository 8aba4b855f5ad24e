import { holding, type PageClaim } from "@/domain/page-claim";
import { formatCount, formatDuration } from "../format/display-time";
import { displayMoney } from "@/domain/money";
import type { MeasureChart, MeasureName, MetricsView } from "../views/metrics";

export interface MetricsClause {
  readonly text: string;
  readonly tone?: "doubt" | "broken" | "conflict" | undefined;
}

/** Currencies in the sentence; each has its own chart below. */
const SPARED = 3;

type Charts = Pick<MetricsView, "charts" | "group">;

const chartOf = ({ charts }: Charts, name: MeasureName): MeasureChart | undefined =>
  charts.find((each) => each.name === name);
const sum = (facts: Charts, name: MeasureName): number =>
  (chartOf(facts, name)?.series ?? []).reduce((all, series) => all + (series.total ?? 0), 0);
/** How long the oldest waited at the most, where that is longer than it should be. ms */
function lateBy(facts: Charts, name: MeasureName): number | undefined {
  const { threshold, series } = chartOf(facts, name) ?? {};
  const longest = series?.[0]?.total ?? 0;
  return threshold !== undefined && longest > threshold.value ? longest : undefined;
}
function spared({ charts }: Charts): readonly string[] {
  return charts.flatMap(({ currency, series }) => {
    const total = series.reduce((all, { exact }) => all + BigInt(exact?.total ?? 0), 0n);
    return currency === undefined || total === 0n ? [] : [displayMoney(total, currency)];
  });
}

interface MetricsClaim extends PageClaim<Charts> {
  readonly tone?: MetricsClause["tone"];
}

const lateClaim = (name: MeasureName, what: string): MetricsClaim => ({
  name: `${name} was late`,
  tone: "broken",
  holds: (facts) => lateBy(facts, name) !== undefined,
  words: (facts) => `${what} was late by up to ${formatDuration(lateBy(facts, name) ?? 0)}.`,
});

/** What stood out, besides what was answered. */
const STOOD_OUT: readonly MetricsClaim[] = [
  {
    name: "not charged twice",
    holds: (facts) => spared(facts).length > 0,
    words: (facts) => `Not charged twice: ${spared(facts).slice(0, SPARED).join(", ")}.`,
  },
  {
    name: "became unknown",
    tone: "doubt",
    holds: (facts) => sum(facts, "unknown") > 0,
    words: (facts) => `${formatCount(sum(facts, "unknown"))} became unknown.`,
  },
  {
    name: "conflicts",
    tone: "conflict",
    holds: (facts) => sum(facts, "conflict") > 0,
    words: (facts) => {
      const count = sum(facts, "conflict");
      return `${formatCount(count)} ${count === 1 ? "conflict was" : "conflicts were"} refused.`;
    },
  },
  lateClaim("oldest_outbox", "The outbox"),
  lateClaim("oldest_inbox", "The inbox"),
];

/** Without a group, a window in which nothing at all happened. */
const isQuiet = (facts: Charts): boolean =>
  sum(facts, "executed") + sum(facts, "replayed") === 0 &&
  facts.group === undefined &&
  holding(STOOD_OUT, facts).length === 0;

const ANSWERED: readonly MetricsClaim[] = [
  {
    name: "answered",
    holds: (facts) => !isQuiet(facts),
    words: (facts) =>
      `${formatCount(sum(facts, "executed"))} created, ${formatCount(sum(facts, "replayed"))} replayed.`,
  },
  { name: "no request", holds: isQuiet, words: () => "No request was answered in this time." },
];

/** What stood out in the window of the charts; empty where nothing was rolled up. */
export function metricsVerdict(view: MetricsView): readonly MetricsClause[] {
  if (view.rolledUpMs === undefined) return [];
  return [...ANSWERED, ...STOOD_OUT]
    .filter(({ holds }) => holds(view))
    .map(({ words, tone }) => ({ text: words(view), tone }));
}
