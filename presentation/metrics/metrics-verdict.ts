import { formatCount, formatDuration } from "../format/display-time";
import { displayMoney } from "@/domain/money";
import type { MeasureName, MetricsView } from "../views/metrics";

export interface MetricsClause {
  readonly text: string;
  readonly tone?: "doubt" | "broken" | "conflict" | undefined;
}

/** Currencies in the sentence; each has its own chart below. */
const SPARED = 3;

/** What stood out in the window of the charts; empty where nothing was rolled up. */
export function metricsVerdict({ charts, rolledUpMs, group }: MetricsView): readonly MetricsClause[] {
  if (rolledUpMs === undefined) return [];
  const chart = (name: MeasureName) => charts.find((each) => each.name === name);
  const sum = (name: MeasureName): number =>
    (chart(name)?.series ?? []).reduce((all, series) => all + (series.total ?? 0), 0);
  const created = sum("executed");
  const replayed = sum("replayed");
  const clauses: MetricsClause[] = [{ text: `${formatCount(created)} created, ${formatCount(replayed)} replayed.` }];
  const spared = charts.flatMap(({ currency, series }) => {
    const total = series.reduce((sum, { exact }) => sum + BigInt(exact?.total ?? 0), 0n);
    return currency === undefined || total === 0n ? [] : [displayMoney(total, currency)];
  });
  if (spared.length > 0) clauses.push({ text: `Not charged twice: ${spared.slice(0, SPARED).join(", ")}.` });
  const say = (count: number, one: string, many: string, tone: MetricsClause["tone"]): void => {
    if (count > 0) clauses.push({ text: `${formatCount(count)} ${count === 1 ? one : many}`, tone });
  };
  say(sum("unknown"), "became unknown.", "became unknown.", "doubt");
  say(sum("conflict"), "conflict was refused.", "conflicts were refused.", "conflict");
  for (const [name, what] of [
    ["oldest_outbox", "The outbox"],
    ["oldest_inbox", "The inbox"],
  ] as const) {
    const { threshold, series } = chart(name) ?? {};
    const longest = series?.[0]?.total ?? 0;
    if (threshold !== undefined && longest > threshold.value)
      clauses.push({ text: `${what} was late by up to ${formatDuration(longest)}.`, tone: "broken" });
  }
  if (clauses.length === 1 && created + replayed === 0 && group === undefined)
    return [{ text: "No request was answered in this time." }];
  return clauses;
}
