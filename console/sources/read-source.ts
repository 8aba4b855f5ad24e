import { whyNotCounted } from "@/attach/read/look-up";
import { PRESETS } from "@/attach/presets";
import { selectLastSamples, selectSamples, type SampleRow } from "@/db/attachments/samples";
import type { OpenAttachment } from "@/console/attachments/open-attachment";
import type { EngineContext } from "@/engine/context";
import type { ChartRange } from "@/presentation/views/common";
import type { SourceGauge, SourceView, SourceViewFacts } from "@/presentation/views/sources";
import { orCutOff, readCutOffs } from "./cut-off";
import { viewFacts } from "./shown-row";
import { sourceHead, withSource, type SourceBy } from "./with-source";

const MINUTE_MS = 60_000;

/** Length of the time, and of one bucket of it: not shorter than samples are apart. ms */
const RANGES: Readonly<Record<ChartRange, { readonly span: number; readonly bucket: number }>> = {
  "1h": { span: 60 * MINUTE_MS, bucket: 5 * MINUTE_MS },
  "6h": { span: 360 * MINUTE_MS, bucket: 10 * MINUTE_MS },
  "24h": { span: 1_440 * MINUTE_MS, bucket: 30 * MINUTE_MS },
  "7d": { span: 10_080 * MINUTE_MS, bucket: 180 * MINUTE_MS },
};

/**
 * One attachment: what it is, what its tables store, and how many rows were in each state since it was attached. No sample is made here.
 *
 * @returns undefined when the tenant has no such attachment
 * @throws AppError those of `withSource`
 */
export function readSource(ctx: EngineContext, by: SourceBy, range: ChartRange): Promise<SourceView | undefined> {
  return withSource(ctx, by, async (open) => {
    const { row, manifest } = open;
    const source = sourceHead(ctx, open);
    const lists = source.views.map((view) => viewFacts(manifest, view));
    const { buckets, gauges } = await gaugesOf(ctx, row.id, lists, range);
    const notCounted = await notCountedOf(ctx, open, source.views);
    const cutOffs = await readCutOffs(ctx, row.id);
    return {
      source,
      at: source.at,
      attachedAt: row.createdAt.toISOString(),
      attachedBy: row.createdBy,
      constants: manifest.constants,
      notes: PRESETS.find(({ id }) => id === manifest.preset)?.notes ?? [],
      ...{ lists, range, buckets, gauges, notCounted, cutOffs },
    };
  });
}

async function notCountedOf(
  ctx: EngineContext,
  { foreign, row }: OpenAttachment,
  views: SourceView["source"]["views"],
) {
  const asked = views.map(async (view) => {
    const why = await orCutOff(ctx, { row }, view, () => whyNotCounted(foreign, row.installedAs, view));
    // One that a limit cut off is not too long for all that; the page names it beside.
    return { view, because: typeof why === "object" ? undefined : why };
  });
  return (await Promise.all(asked)).flatMap(({ view, because }) => (because === undefined ? [] : [{ view, because }]));
}

async function gaugesOf(
  ctx: EngineContext,
  attachmentId: string,
  lists: readonly SourceViewFacts[],
  range: ChartRange,
): Promise<{ readonly buckets: readonly string[]; readonly gauges: readonly SourceGauge[] }> {
  const { span, bucket } = RANGES[range];
  // On whole buckets, so that the strips of two readings stand in the same places; the last one is under way.
  const end = Math.ceil(Date.now() / bucket) * bucket;
  const start = end - span;
  const buckets = Array.from({ length: span / bucket }, (_, index) => new Date(start + index * bucket).toISOString());
  const measured = lists.flatMap(({ view, states }) => states.map(({ state }) => ({ view, state })));
  const measures = measured.map(({ view, state }) => `${view}:${state}`);
  const { pool } = ctx.db;
  const time = { measures, from: new Date(start), bucketSeconds: bucket / 1_000 };
  const samples = await selectSamples(pool, ctx.tenantId, attachmentId, time);
  const last = await selectLastSamples(pool, ctx.tenantId, attachmentId, measures);
  const gauges = measured.map(({ view, state }): SourceGauge => {
    const isOwn = ({ measure }: SampleRow): boolean => measure === `${view}:${state}`;
    const values: (number | null)[] = buckets.map(() => null);
    for (const { at, value } of samples.filter(isOwn)) {
      const index = Math.floor((at.getTime() - start) / bucket);
      if (index < values.length) values[index] = Number(value);
    }
    const newest = last.find(isOwn);
    const counted = values.filter((value) => value !== null);
    return {
      ...{ view, state, values },
      most: counted.length === 0 ? null : Math.max(...counted),
      last: newest && { value: Number(newest.value), atLeast: newest.atLeast, at: newest.at.toISOString() },
    };
  });
  return { buckets, gauges };
}
