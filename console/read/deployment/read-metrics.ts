import {
  selectAnswers,
  selectGaugeSamples,
  selectMeasured,
  selectReuseDistance,
  selectSuppressed,
} from "@/db/metrics/select-measures";
import { selectFrame } from "@/db/metrics/select-series";
import { readWithin } from "@/db/bounded-read";
import { bucketStarts, chartWindow } from "@/domain/metrics/chart-window";
import type { MetricFilters } from "@/domain/lists/filters";
import { buildMeasures, MEASURE_GAUGES } from "@/presentation/metrics/measures";
import type { MetricsView } from "@/presentation/views/metrics";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";

/**
 * The health of a tenant's keys and messages over time, from roll-ups alone.
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readMetrics(ctx: EngineContext, filters: MetricFilters): Promise<MetricsView> {
  requirePermission(ctx, "metrics.read");
  return readWithin(ctx.db, "search", async (q): Promise<MetricsView> => {
    const frame = await selectFrame(q, ctx.tenantId);
    const window = chartWindow(filters, frame.at);
    const measured = await selectMeasured(q, ctx.tenantId, window);
    const { group } = filters;
    const { hoursUntil } = frame;
    const answers = await selectAnswers(q, ctx.tenantId, window, { group, hoursUntil });
    // The same groups in every chart, in the same colours.
    const names = [...new Set(answers.flatMap(({ name }) => name ?? []))];
    const charts = buildMeasures({
      window,
      group,
      measured,
      answers,
      gauges: await selectGaugeSamples(q, ctx.tenantId, window, MEASURE_GAUGES),
      suppressed: await selectSuppressed(q, ctx.tenantId, window, { group, names, hoursUntil }),
      distances: await selectReuseDistance(q, ctx.tenantId, window),
    });
    return {
      at: frame.at,
      window,
      times: bucketStarts(window),
      group,
      charts,
      rolledUpMs: frame.rolledUpMs,
      unmeasured: window.buckets - measured.length,
    };
  });
}
