import type { Queryable } from "@/db/client";
import { selectIncidentMinutes } from "@/db/metrics/select-incident-minutes";
import { selectDeploys } from "@/db/risk/deploys";
import { selectDoubtSpan, selectDoubtSteps } from "@/db/risk/select-doubts";
import { selectMarkEntries } from "@/db/risk/select-marks";
import { claimWords } from "@/domain/page-claim";
import { askedWindow, type RiskRange, riskPoints, riskTime, type RiskTime, unknownSteps } from "@/domain/metrics/risk";
import { moneyView } from "@/presentation/operation/money-view";
import { findIncidents, OUTBOX_LATE_SECONDS } from "@/presentation/metrics/incidents";
import { riskMarks } from "@/presentation/risk/marks";
import { CHART_NOTES, endAge, NO_CHART_CLAIMS, type RiskFacts, spokenChart } from "@/presentation/risk/risk-claims";
import { riskSeries } from "@/presentation/risk/series";
import { plural } from "@/presentation/format/words";
import type { RiskMark, RiskSeries, RiskView } from "@/presentation/views/risk";
import { endpointLabels } from "../messages/endpoint-labels";

export interface RiskInput {
  readonly risk: RiskRange;
  readonly currency?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Marks of each source that are read, the newest. */
export const MARKS_READ = 100;

/** Money in doubt over time with what was done meanwhile, but for what changed. @param at database time of the read */
export async function readRisk(
  q: Queryable,
  tenantId: string,
  at: string,
  { risk, currency, ...asked }: RiskInput,
): Promise<Omit<RiskView, "changes">> {
  const window = askedWindow(risk, at, asked);
  const time = riskTime(risk, at, window);
  const span = await selectDoubtSpan(q, tenantId, time);
  const unknown = unknownSteps(time, at, span.wholeFrom);
  const facts: RiskFacts = {
    time,
    points: riskPoints(time),
    series: riskSeries(await selectDoubtSteps(q, tenantId, time), time, unknown),
    unknown,
    ...span,
  };
  const shown = facts.series.find((each) => each.currency === currency) ?? facts.series[0];
  const [none] = claimWords(NO_CHART_CLAIMS, facts);
  return {
    at,
    time,
    points: facts.points,
    unknown,
    series: facts.series,
    shown: none === undefined ? shown : undefined,
    none,
    spoken: shown === undefined ? "" : spokenChart(facts, shown),
    end: shown === undefined || unknown > time.steps ? undefined : endOf(shown),
    notes: claimWords(CHART_NOTES, facts),
    marks: await readMarks(q, tenantId, time),
    window,
  };
}

function endOf(series: RiskSeries): RiskView["end"] {
  const count = series.counts.at(-1) ?? 0;
  if (count === 0) return undefined;
  const money = series.currency === "" ? undefined : moneyView(BigInt(series.totals.at(-1) ?? "0"), series.currency);
  return { money, operations: plural(count, "operation"), age: endAge(series) };
}

/** Incidents are from the same minutes as the bands through the strips. */
async function readMarks(q: Queryable, tenantId: string, time: RiskTime): Promise<readonly RiskMark[]> {
  const entries = await selectMarkEntries(q, tenantId, time, MARKS_READ);
  const paused = entries.some(({ action }) => action !== "policies.write");
  return riskMarks({
    entries,
    deploys: await selectDeploys(q, tenantId, time, MARKS_READ),
    incidents: findIncidents(await selectIncidentMinutes(q, tenantId, time, OUTBOX_LATE_SECONDS), MARKS_READ),
    labelOf: paused ? await endpointLabels(q, tenantId) : (topic) => topic,
  });
}
