import type { MeasureChart, MeasureName, MeasureSeries } from "../views/metrics";

/** Ages of what waits, ms; undefined: nothing does. */
export interface OpenAges {
  readonly oldestOutboxMs?: number | undefined;
  readonly oldestInboxMs?: number | undefined;
  /** Of what is in progress, whether its lease ran out or not. */
  readonly oldestRunningMs?: number | undefined;
}

/** What is open now, as the navigation and the overview have it. */
export interface OpenNow extends OpenAges {
  readonly inProgress: number;
  readonly unknown: number;
  readonly stale: number;
  readonly deadLetters: number;
}

const OPEN: Readonly<Partial<Record<MeasureName, (open: OpenNow) => number | undefined>>> = {
  oldest_in_progress: (open) => open.oldestRunningMs,
  open: (open) => open.inProgress + open.unknown + open.stale,
  oldest_outbox: (open) => open.oldestOutboxMs,
  oldest_inbox: (open) => open.oldestInboxMs,
  dead_letters: (open) => open.deadLetters,
};

/**
 * Says in every line what is now. Of what is open, that is what the navigation counts at the same moment; of answers, the last whole
 * minute: the one that runs has hardly begun at its first second.
 * @param latest the same measures over the newest whole minute that was rolled up; undefined: there is none of late
 */
export function withNow(
  charts: readonly MeasureChart[],
  latest: readonly MeasureChart[] | undefined,
  open: OpenNow,
  /** The time of the charts reaches to now. */
  reachesNow: boolean,
): readonly MeasureChart[] {
  return charts.map((chart) => {
    const { name, currency, series } = chart;
    const read = OPEN[name];
    if (read !== undefined)
      return { ...chart, series: series.map((one) => openNow(one, read(open) ?? null, reachesNow)) };
    const minute = latest?.find((each) => each.name === name && each.currency === currency)?.series;
    return { ...chart, series: series.map((one) => lineNow(one, latest && (minute ?? []))) };
  });
}

/** What is now may be more than any minute of the roll-ups had: it is the most of their time then. */
function openNow(one: MeasureSeries, now: number | null, reachesNow: boolean): MeasureSeries {
  const { total } = one;
  return { ...one, now, total: reachesNow && total !== null && now !== null ? Math.max(total, now) : total };
}

/** A line that the minute does not have: no money, if it is the only one; else nobody knows, it may be among the rest of that minute. */
function lineNow(one: MeasureSeries, minute: readonly MeasureSeries[] | undefined): MeasureSeries {
  const own = minute?.find(({ label }) => label === one.label);
  const nothing = minute !== undefined && one.exact !== undefined && one.slot === 0 ? 0 : null;
  const now = own === undefined ? nothing : (own.values[0] ?? null);
  return {
    ...one,
    now,
    ...(one.exact && {
      exact: { ...one.exact, now: own === undefined ? (nothing?.toString() ?? null) : (own.exact?.values[0] ?? null) },
    }),
  };
}
