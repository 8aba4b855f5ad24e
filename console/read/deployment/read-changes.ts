import { boundedRead } from "@/db/bounded-read";
import type { Queryable } from "@/db/client";
import { selectBegun } from "@/db/risk/select-doubts";
import {
  countBecameUnknown,
  selectCountedUntil,
  selectDayValues,
  selectPeaks,
  selectSources,
  selectUsualDays,
} from "@/db/risk/select-window";
import { claimWords, firstWords } from "@/domain/page-claim";
import { type Span, wholeWindow } from "@/domain/metrics/risk";
import type { EngineContext } from "@/engine/context";
import {
  away,
  type ChangeFacts,
  COMPARED_MINUTES,
  COMPARISON_CLAIMS,
  countedUntil,
  MARK_CLAIMS,
  minutesOf,
  REST_CLAIMS,
} from "@/presentation/risk/change-claims";
import {
  allMeasuresHref,
  changeRow,
  COMPARED,
  COMPARED_GAUGES,
  differences,
  SHOWN_CHANGES,
  type Sources,
} from "@/presentation/risk/changes";
import { rangeWords } from "@/presentation/risk/risk-claims";
import type { ChangeRow, ChangesView, RiskView } from "@/presentation/views/risk";

const MINUTE_MS = 60_000;

/** What differs from the usual in the window, or in the whole chart. It names what coincides; what takes too long is left out and said. */
export async function readChanges(ctx: EngineContext, risk: Omit<RiskView, "changes">): Promise<ChangesView> {
  const window = risk.window ?? wholeWindow(risk.time);
  const base = {
    window,
    marks: risk.marks,
    chart: rangeWords(risk.time),
    time: risk.time,
    tooLong: minutesOf({ window }) > COMPARED_MINUTES,
  };
  const nothing = { counted: 0, days: 0, differences: [], timedOut: false } as const;
  if (base.tooLong) return changesView({ ...base, ...nothing }, []);
  const read = await boundedRead(ctx.db, "detail", (q) => compare(q, ctx.tenantId, { ...base, ...nothing }));
  if (read.kind === "too_broad") return changesView({ ...base, ...nothing, timedOut: true }, []);
  return changesView(...read.value);
}

async function compare(
  q: Queryable,
  tenantId: string,
  base: ChangeFacts,
): Promise<[facts: ChangeFacts, rows: readonly ChangeRow[]]> {
  const { window } = base;
  const until = await selectCountedUntil(q, tenantId, window);
  const counted = Math.round((Date.parse(until) - Date.parse(window.from)) / MINUTE_MS);
  if (counted <= 0) return [base, []];
  const same: Span = { from: window.from, to: countedUntil({ window, counted }) };
  const days = await selectUsualDays(q, tenantId, same);
  const values = days.length === 0 ? [] : await selectDayValues(q, tenantId, same, days, COMPARED_GAUGES);
  const facts = { ...base, counted, days: days.length, differences: differences(values, days) };
  const shown = away(facts).slice(0, SHOWN_CHANGES);
  if (shown.length === 0) return [facts, []];
  const sources: Sources = {
    answers: await selectSources(q, tenantId, same),
    begun: await selectBegun(q, tenantId, same),
    becameUnknown: await countBecameUnknown(q, tenantId, same),
    peaks: await selectPeaks(q, tenantId, same, COMPARED_GAUGES),
  };
  return [facts, shown.map((each) => changeRow(each, sources, same))];
}

function changesView(facts: ChangeFacts, rows: readonly ChangeRow[]): ChangesView {
  const { window } = facts;
  return {
    window,
    note: firstWords(COMPARISON_CLAIMS, facts),
    rows,
    rest: [...claimWords(REST_CLAIMS, facts), firstWords(MARK_CLAIMS, facts)],
    href: allMeasuresHref(window),
    measures: COMPARED.length,
  };
}
