import { VIEW_STATES, ATTACH_VIEWS, type AttachView } from "@/attach/contract/columns";
import {
  FOREIGN_ANSWER_MS,
  FOREIGN_LIMITS,
  limitOf,
  FOREIGN_LOCK_MS,
  FOREIGN_STATEMENT_MS,
  type ForeignLimit,
} from "@/attach/limits";
import type { OpenAttachment } from "@/console/attachments/open-attachment";
import { insertSamples, selectLastSamples } from "@/db/attachments/samples";
import type { EngineContext } from "@/engine/context";
import type { SourceCutOff } from "@/presentation/views/sources";
import { CUT_OFF_KEPT_EVERY_MS, CUT_OFF_SHOWN_MS } from "./limits";

const seconds = (ms: number): string => `${String(ms / 1_000)} s`;
const SAYS: Readonly<Record<ForeignLimit, string>> = {
  statement: `a statement may take ${seconds(FOREIGN_STATEMENT_MS)} there`,
  lock: `a lock on these tables is waited for ${seconds(FOREIGN_LOCK_MS)}`,
  answer: `an answer is waited for ${seconds(FOREIGN_ANSWER_MS)}`,
};

const measureOf = (view: AttachView, limit: ForeignLimit): string => `${view}:cut_off:${limit}`;
const CUT_OFFS = ATTACH_VIEWS.flatMap((view) =>
  FOREIGN_LIMITS.map((limit) => ({ view, limit, measure: measureOf(view, limit) })),
);

/** Measures of what is counted. */
export const COUNTED_MEASURES: readonly string[] = ATTACH_VIEWS.flatMap((view) =>
  VIEW_STATES[view].map((state) => `${view}:${state}`),
);
/** Every measure that there can be of an attached database. */
export const SAMPLED_MEASURES: readonly string[] = [...COUNTED_MEASURES, ...CUT_OFFS.map(({ measure }) => measure)];

/** When this process last kept that a list was cut off, ms of `performance.now()`; as many entries as lists that it reads. */
const kept = new Map<string, number>();
const MAX_KEPT = 1_000;

/**
 * Runs a read of a list, and says so when a limit ended it. That it happened is kept, once in a minute at the most, for the page of the
 * attachment: other processes read too.
 */
export async function orCutOff<Value>(
  ctx: EngineContext,
  { row }: Pick<OpenAttachment, "row">,
  view: AttachView,
  read: () => Promise<Value>,
): Promise<Value | { readonly because: string }> {
  try {
    return await read();
  } catch (error) {
    const limit = limitOf(error);
    if (limit === undefined) throw error;
    await keep(ctx, row.id, measureOf(view, limit));
    return { because: `Cut off: ${SAYS[limit]}, and it did not end by then. Nothing was changed.` };
  }
}

async function keep(ctx: EngineContext, attachmentId: string, measure: string): Promise<void> {
  const key = `${ctx.tenantId} ${attachmentId} ${measure}`;
  const now = performance.now();
  if (now - (kept.get(key) ?? -Infinity) < CUT_OFF_KEPT_EVERY_MS) return;
  kept.delete(key);
  kept.set(key, now);
  for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
  await insertSamples(ctx.db.pool, ctx.tenantId, attachmentId, [{ measure, value: 1n, atLeast: true }]);
}

/** When a limit last ended a read of each list of an attachment, within a day. */
export async function readCutOffs(ctx: EngineContext, attachmentId: string): Promise<readonly SourceCutOff[]> {
  const measures = CUT_OFFS.map(({ measure }) => measure);
  const last = await selectLastSamples(ctx.db.pool, ctx.tenantId, attachmentId, measures);
  return CUT_OFFS.flatMap(({ view, limit, measure }) => {
    const at = last.find((sample) => sample.measure === measure)?.at;
    return at === undefined || Date.now() - at.getTime() > CUT_OFF_SHOWN_MS
      ? []
      : [{ view, at: at.toISOString(), says: SAYS[limit] }];
  });
}
