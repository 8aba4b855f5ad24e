import { VIEW_STATES, ATTACH_VIEWS, type AttachView } from "@/attach/contract/columns";
import { countStates } from "@/attach/read/look-up";
import { selectAttachments } from "@/db/attachments/attachments";
import { deleteOldSamples, insertSamples, sampleAge, type SampleRow } from "@/db/attachments/samples";
import { toAppError } from "@/domain/errors";
import { MAX_ATTACHMENTS } from "@/console/attachments/limits";
import type { OpenAttachment } from "@/console/attachments/open-attachment";
import type { EngineContext } from "@/engine/context";
import { COUNTED_MEASURES, SAMPLED_MEASURES, orCutOff } from "./cut-off";
import { SAMPLE_EVERY_MS, SAMPLES_DELETED_AT_ONCE, SAMPLES_KEPT_DAYS } from "./limits";
import { insideSource } from "./with-source";

/** What a turn did: attachments that were counted, whose turn it is not, that were away; lists left out; samples deleted. */
export interface SampleTurn {
  readonly sampled: number;
  readonly resting: number;
  readonly away: number;
  readonly dear: number;
  readonly deleted: number;
}

/**
 * Counts the rows of the tenant's attached databases by state, each database once in five minutes, and keeps the counts. What is too dear to
 * be counted is left out: nothing is kept of it, least of all a zero. Samples of over 30 days are deleted, some in each turn.
 *
 * @param asked when each attachment was last asked by this process, ms of `performance.now()`: one that is away or too long has no sample
 */
export async function sampleAttached(ctx: EngineContext, asked: Map<string, number>): Promise<SampleTurn> {
  const { pool } = ctx.db;
  const turn = { sampled: 0, resting: 0, away: 0, dear: 0 };
  for (const { id } of await selectAttachments(pool, ctx.tenantId, MAX_ATTACHMENTS)) {
    const key = `${ctx.tenantId} ${id}`;
    const age = await sampleAge(pool, ctx.tenantId, id, COUNTED_MEASURES);
    const since = performance.now() - (asked.get(key) ?? -Infinity);
    if (Math.min(age ?? Infinity, since) < SAMPLE_EVERY_MS) {
      turn.resting += 1;
      continue;
    }
    asked.set(key, performance.now());
    try {
      turn.dear += await sampleSource(ctx, id);
      turn.sampled += 1;
    } catch (error) {
      turn.away += 1;
      ctx.log.warn({ code: toAppError(error).code, tenantId: ctx.tenantId }, "an attached database was not counted");
    }
  }
  const old = { measures: SAMPLED_MEASURES, days: SAMPLES_KEPT_DAYS, most: SAMPLES_DELETED_AT_ONCE };
  return { ...turn, deleted: await deleteOldSamples(pool, ctx.tenantId, old) };
}

/**
 * Counts the lists of one attachment now.
 *
 * @returns lists that are too dear to be counted, or that a limit cut off
 * @throws AppError those of `insideSource`
 */
async function sampleSource(ctx: EngineContext, id: string): Promise<number> {
  const counted = await insideSource(ctx, { id }, async (open) => {
    const views = ATTACH_VIEWS.filter((view) => open.manifest.views[view] !== undefined);
    const samples: (readonly Sample[] | undefined)[] = [];
    // One after the other: it is somebody else's database.
    for (const view of views) samples.push(await samplesOf(ctx, open, view));
    return samples;
  });
  const samples = counted?.filter((each) => each !== undefined) ?? [];
  await insertSamples(ctx.db.pool, ctx.tenantId, id, samples.flat());
  return (counted?.length ?? 0) - samples.length;
}

type Sample = Omit<SampleRow, "at">;

/** All of a list was counted, so a state that no row is in has none. */
async function samplesOf(
  ctx: EngineContext,
  { foreign, row, manifest }: OpenAttachment,
  view: AttachView,
): Promise<readonly Sample[] | undefined> {
  const counted = await orCutOff(ctx, { row }, view, () => countStates(foreign, row.installedAs, view));
  if ("because" in counted) return undefined;
  const known: readonly string[] = VIEW_STATES[view];
  const named = manifest.views[view]?.states.map(({ state }) => state) ?? [];
  const states = new Set([...named, ...counted.value.keys()].filter((state) => known.includes(state)));
  return [...states].map((state) => ({
    measure: `${view}:${state}`,
    value: counted.value.get(state) ?? 0n,
    atLeast: false,
  }));
}
