import {
  selectAnswers,
  selectGaugeSamples,
  selectMeasured,
  selectMeasureFrame,
  selectReuseDistance,
  selectSuppressed,
} from "@/db/queries/console/select-measures";
import { readWithin } from "@/db/queries/sql-text";
import { bucketStarts, chartWindow } from "@/domain/chart-window";
import type { MetricFilters } from "@/domain/filters/metrics";
import { buildMeasures, MEASURE_GAUGES } from "@/domain/measures";
import type { MetricsView } from "@/domain/views/metrics";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "./require";

/**
 * The health of a tenant's keys and messages over time, from roll-ups alone (C.8).
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readMetrics(ctx: EngineContext, filters: MetricFilters): Promise<MetricsView> {
  requirePermission(ctx, "metrics.read");
  return readWithin(ctx.db, "search", async (q): Promise<MetricsView> => {
    const frame = await selectMeasureFrame(q, ctx.tenantId);
    const window = chartWindow(filters, frame.at);
    const measured = await selectMeasured(q, ctx.tenantId, window);
    const charts = buildMeasures({
      window,
      group: filters.group,
      measured,
      answers: await selectAnswers(q, ctx.tenantId, window, { group: filters.group, hoursUntil: frame.hours_until }),
      gauges: await selectGaugeSamples(q, ctx.tenantId, window, MEASURE_GAUGES),
      suppressed: await selectSuppressed(q, ctx.tenantId, window, frame.hours_until),
      distances: await selectReuseDistance(q, ctx.tenantId, window),
    });
    return {
      at: frame.at,
      window,
      times: bucketStarts(window),
      group: filters.group,
      charts,
      rolledUpMs: frame.rolled_up_ms ?? undefined,
      unmeasured: window.buckets - measured.length,
    };
  });
}
