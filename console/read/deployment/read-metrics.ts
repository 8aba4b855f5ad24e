import type { Queryable } from "@/db/client";
import { selectOpenCounts } from "@/db/metrics/counts";
import {
  selectAnswers,
  selectGaugeSamples,
  selectMeasured,
  selectReuseDistance,
  selectSuppressed,
} from "@/db/metrics/select-measures";
import { selectFirstMeasured, selectFrame } from "@/db/metrics/select-series";
import { readWithin } from "@/db/bounded-read";
import { bucketStarts, chartWindow, type ChartWindow, firstMinutes, minuteWindow } from "@/domain/metrics/chart-window";
import type { OperationKinds } from "@/domain/operation-kind";
import type { MetricFilters, MetricGroup } from "@/domain/lists/filters";
import { withNow } from "@/presentation/metrics/measures-now";
import { buildMeasures, MEASURE_GAUGES, type MeasureInput } from "@/presentation/metrics/measures";
import { gapsOf } from "@/presentation/metrics/gaps";
import type { MetricsView } from "@/presentation/views/metrics";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";

export interface MetricsOptions {
  /** Where nobody chose a time: no longer back than anything was measured. */
  readonly fit?: boolean | undefined;
}

/**
 * The health of a tenant's keys and messages over time, from roll-ups alone; beside it, what is open now.
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readMetrics(
  ctx: EngineContext,
  filters: MetricFilters,
  { fit = false }: MetricsOptions = {},
): Promise<MetricsView> {
  requirePermission(ctx, "metrics.read");
  const { tenantId } = ctx;
  const charges = chargesOf(await ctx.kinds.all());
  return readWithin(ctx.db, "search", async (q): Promise<MetricsView> => {
    const frame = await selectFrame(q, tenantId);
    const fitted = fit ? firstMinutes(filters, frame.at, await selectFirstMeasured(q, tenantId)) : undefined;
    const window = chartWindow(fitted ?? filters, frame.at);
    const measured = await selectMeasured(q, tenantId, window);
    const { group } = filters;
    const told = await readAnswers(q, tenantId, window, { group, charges, hoursUntil: frame.hoursUntil });
    const gauges = await selectGaugeSamples(q, tenantId, window, MEASURE_GAUGES);
    const charts = buildMeasures({ window, group, measured, gauges, ...told });
    const { minute } = frame;
    const latest = minute === undefined ? undefined : await readMinute(q, tenantId, minute, { group, charges });
    return {
      at: frame.at,
      window,
      times: bucketStarts(window),
      group,
      charts: withNow(charts, latest, await selectOpenCounts(q, tenantId), window.to >= frame.at),
      rolledUpMs: frame.rolledUpMs,
      ...gapsOf(window, measured, frame.at),
      fitted: fitted !== undefined,
    };
  });
}

interface Narrowed {
  /** Names of operations that charge. */
  readonly charges: readonly string[];
  readonly group: MetricGroup | undefined;
  readonly hoursUntil?: string | undefined;
}

async function readAnswers(
  q: Queryable,
  tenantId: string,
  window: ChartWindow,
  { group, charges, hoursUntil }: Narrowed,
): Promise<Pick<MeasureInput, "answers" | "charges" | "suppressed" | "distances">> {
  const answers = await selectAnswers(q, tenantId, window, { group, hoursUntil });
  // The same groups in every chart, in the same colours.
  const names = [...new Set(answers.flatMap(({ name }) => name ?? []))];
  return {
    answers,
    charges,
    suppressed: await selectSuppressed(q, tenantId, window, { charges, group, names, hoursUntil }),
    distances: await selectReuseDistance(q, tenantId, window),
  };
}

function chargesOf(kinds: OperationKinds): readonly string[] {
  return [...kinds.values()].filter(({ expects }) => expects.money === "takes").map(({ name }) => name);
}

async function readMinute(q: Queryable, tenantId: string, minute: string, of: Narrowed) {
  const window = minuteWindow(minute);
  return buildMeasures({
    window,
    group: of.group,
    measured: [minute],
    gauges: [],
    ...(await readAnswers(q, tenantId, window, of)),
  });
}
