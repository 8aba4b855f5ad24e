import { boundedRead, readWithin } from "@/db/bounded-read";
import type { Queryable } from "@/db/client";
import {
  selectBins,
  selectHeatCells,
  selectHeatMinutes,
  selectRolledUntil,
  type HeatClients,
  type HeatTime,
} from "@/db/metrics/select-heatmap";
import { selectFrame } from "@/db/metrics/select-series";
import { selectCellOperations } from "@/db/operations/select-cell-operations";
import { kindOf, type OperationKinds } from "@/domain/operation-kind";
import { bucketStarts, type ChartWindow } from "@/domain/metrics/chart-window";
import { BIN_MEASURES, binCount, type BinMeasure } from "@/domain/metrics/bins";
import { comparedTime, earlierOf, HEAT_ROWS, heatCellStart, heatWindow } from "@/domain/metrics/heatmap";
import { NO_CLIENT_NAME, type HeatmapFilters } from "@/domain/lists/filters";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { buildDistribution } from "@/presentation/metrics/distribution";
import { buildHeatmap, type HeatSamples } from "@/presentation/metrics/heatmap";
import { cellFilters, cellListHref } from "@/presentation/metrics/heatmap-links";
import { CHART_WINDOWS, lastEnd } from "@/presentation/metrics/series";
import { moneyView } from "@/presentation/operation/money-view";
import type { DistributionView, HeatmapView, HeatOperations, HeatSelection } from "@/presentation/views/heatmap";

const MINUTE_MS = 60_000;
/** A minute should be rolled up so long after it began to be over. */
const DUE_AFTER_MS = 2 * MINUTE_MS;

/**
 * Clients by time, by replays, conflicts or keys that were reused too fast, beside another time; and how first answers and retries were
 * distributed. All of it from roll-ups; only the operations of the open cell are read from the events.
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readHeatmap(ctx: EngineContext, filters: HeatmapFilters): Promise<HeatmapView> {
  requirePermission(ctx, "metrics.read");
  const { tenantId } = ctx;
  const { map, time } = await readWithin(ctx.db, "search", (q) => readMap(q, tenantId, filters, ctx.config));
  return { ...map, selected: await readSelected(ctx, filters, map, time) };
}

type HeatMap = Omit<HeatmapView, "selected">;
interface ReadMap {
  readonly map: HeatMap;
  readonly time: HeatTime;
}

async function readMap(
  q: Queryable,
  tenantId: string,
  filters: HeatmapFilters,
  { providerTimeoutMs: providerLimitMs }: EngineContext["config"],
): Promise<ReadMap> {
  const { show: measure, range, compare, find } = filters;
  const frame = await selectFrame(q, tenantId);
  const window = heatWindow(range, frame.at);
  const until = earlierOf(window.to, (await selectRolledUntil(q, tenantId)) ?? window.from);
  const binned = measure === "reused";
  const page = pageOf(filters.page);
  const time = { window, until, hoursUntil: frame.hoursUntil };
  const cells = (of: HeatTime, clients: HeatClients) => selectHeatCells(q, tenantId, measure, of, clients);
  const minutes = (of: HeatTime) => selectHeatMinutes(q, tenantId, of, { binned });
  const now: HeatSamples = {
    cells: await cells(time, { after: (page - 1) * HEAT_ROWS, limit: HEAT_ROWS, find }),
    minutes: await minutes(time),
  };
  let before: HeatSamples | undefined;
  if (compare !== "nothing") {
    const moved = (at: string) => comparedTime(at, compare);
    const then = {
      ...{ window: { ...window, from: moved(window.from), to: moved(window.to) }, until: moved(until) },
      hoursUntil: frame.hoursUntil,
    };
    const names = [...new Set(now.cells.flatMap(({ client }) => client ?? []))];
    before = { cells: await cells(then, { names }), minutes: await minutes(then) };
  }
  const due = new Date(Math.floor(Date.parse(frame.at) / MINUTE_MS) * MINUTE_MS - DUE_AFTER_MS).toISOString();
  const built = buildHeatmap({ measure, range, compare, find, page, window, until, due, now, before });
  const distributions = await readDistributions(q, tenantId, filters, {
    at: frame.at,
    hoursUntil: frame.hoursUntil,
    providerLimitMs,
  });
  const map = {
    ...{ at: frame.at, rolledUpMs: frame.rolledUpMs, measure, range, compare, find, window, page, until, ...built },
    ...{ pages: Math.max(1, Math.ceil(built.found / HEAT_ROWS)), distributions },
  };
  return { map, time };
}

/** @returns a page of the clients: 1 for what is none */
function pageOf(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
}

async function readDistributions(
  q: Queryable,
  tenantId: string,
  { range }: HeatmapFilters,
  {
    at,
    hoursUntil,
    providerLimitMs,
  }: { readonly at: string; readonly hoursUntil: string | undefined; readonly providerLimitMs: number },
): Promise<readonly DistributionView[]> {
  const { bucketSeconds, buckets } = CHART_WINDOWS[range];
  const to = lastEnd(at, bucketSeconds);
  const from = new Date(Date.parse(to) - buckets * bucketSeconds * 1_000).toISOString();
  const window: ChartWindow = { from, to, bucketSeconds, buckets };
  const minutes = await selectHeatMinutes(q, tenantId, { window, until: to }, { binned: true });
  const views: DistributionView[] = [];
  for (const measure of BIN_MEASURES) {
    const bins = await selectBins(q, tenantId, measure, { window, until: to, hoursUntil });
    views.push(buildDistribution({ measure, window, times: bucketStarts(window), minutes, bins, at, providerLimitMs }));
  }
  return views;
}

/** The open cell: what it counts, and which operations these are. */
async function readSelected(
  ctx: EngineContext,
  { client: asked, cell }: HeatmapFilters,
  { measure, range, columns, rows, window, until }: HeatMap,
  whole: HeatTime,
): Promise<HeatSelection | undefined> {
  if (asked === undefined || cell === undefined) return undefined;
  const client = asked === NO_CLIENT_NAME ? "" : asked;
  const from = heatCellStart(range, cell);
  const end = new Date(Date.parse(from) + window.bucketSeconds * 1_000).toISOString();
  const slot = columns.findIndex((column) => column.from === from);
  const column = columns[slot];
  const to = column?.to ?? earlierOf(end, until);
  const filters = cellFilters(measure, client, { from, to });
  const row = rows.find((each) => each.client === client);
  const counted = column === undefined || row === undefined ? undefined : row.cells[slot];
  const only: HeatTime = { ...whole, window: { ...window, from, to, buckets: 1 }, until: to };
  const kinds = await ctx.kinds.all();
  const found = await boundedRead(ctx.db, "list", (q) => readOperations(q, ctx.tenantId, filters, kinds));
  const retries = await boundedRead(ctx.db, "list", async (q) => ({
    cell: await retryBins(q, ctx.tenantId, client, only),
    window: await retryBins(q, ctx.tenantId, client, whole),
  }));
  return {
    ...{ client, from, to, counted: counted?.count, compared: counted?.compared, href: cellListHref(filters) },
    found: found.kind === "done" ? found.value : undefined,
    retries: retries.kind === "done" ? retries.value : undefined,
  };
}

async function readOperations(
  q: Queryable,
  tenantId: string,
  filters: ReturnType<typeof cellFilters>,
  kinds: OperationKinds,
): Promise<HeatOperations> {
  const rows = await selectCellOperations(q, tenantId, { ...filters, range: "all" });
  const { answers = 0, operations = 0, purged = 0 } = rows[0] ?? {};
  const top = rows.flatMap(({ operationId, key, operation, state, amountMinor, currency, count }) =>
    operationId === undefined || key === undefined || operation === undefined || state === undefined
      ? []
      : [
          {
            ...{ operationId, key, kind: kindOf(kinds, operation).label, state, count },
            money: moneyView(amountMinor === undefined ? undefined : BigInt(amountMinor), currency),
          },
        ],
  );
  return { answers, operations, purged, top };
}

async function retryBins(q: Queryable, tenantId: string, client: string, time: HeatTime): Promise<number[]> {
  const measure: BinMeasure = "retry_delay";
  const totals = Array.from({ length: binCount(measure) }, () => 0);
  for (const { bin, count } of await selectBins(q, tenantId, measure, { ...time, client }))
    totals[bin] = (totals[bin] ?? 0) + count;
  return totals;
}
