import { PAGE_ROWS } from "@/db/paging";
import { only } from "@/db/query";
import { boundedRead } from "@/db/bounded-read";
import { selectAttention } from "@/db/operations/select-attention";
import { selectOpenCounts } from "@/db/metrics/counts";
import { doubtVerdict } from "@/presentation/metrics/overview-verdict";
import type { AttentionView } from "@/presentation/views/operations";
import { verdictOf } from "@/presentation/operation/verdict";
import type { EngineContext } from "@/engine/context";
import { attentionRows, doubtTotals } from "./attention-rows";
import { requirePermission } from "@/engine/actions/require";
import { type Cursor, cutPage, isMoment, readCursor } from "@/domain/lists/cursor";
import { UUID } from "@/domain/uuid";

const SORT = "weight";
/** The cursor's value is `weight@moment`: weights grow with time, so all pages are weighed at the moment of the first. */
const PLACE = /^(\d{1,18})@(\S{27})$/;

function isPlace({ value, id }: Cursor): boolean {
  return UUID.test(id) && isMoment(PLACE.exec(value)?.[2] ?? "");
}

/** The work queue: unknown and stale operations by age × amount. @throws AppError `auth.forbidden` 403 */
export async function listAttention(
  ctx: EngineContext,
  input: { cursor?: string | undefined },
): Promise<AttentionView> {
  requirePermission(ctx, "operations.read");
  const cursor = readCursor(input.cursor, SORT, isPlace);
  const place = cursor === undefined ? null : PLACE.exec(cursor.value);
  const kinds = await ctx.kinds.all();
  const read = await boundedRead(ctx.db, "list", async (q) => {
    const counts = await selectOpenCounts(q, ctx.tenantId);
    const asOf = (cursor && place?.[2]) ?? counts.at;
    const after =
      cursor && place ? { weight: place[1] ?? "0", id: cursor.id, back: cursor.direction === "previous" } : undefined;
    const found = await selectAttention(q, ctx.tenantId, { limit: PAGE_ROWS, asOf, after });
    const page = cutPage(found, PAGE_ROWS, cursor, SORT, (row) => ({
      value: `${row.weight}@${asOf}`,
      id: row.operationId,
    }));
    return {
      counts,
      page,
      rows: await attentionRows(q, ctx.tenantId, page.rows, kinds),
      totals: await doubtTotals(q, ctx.tenantId),
    };
  });
  if (read.kind === "too_broad")
    return {
      list: read,
      totals: [],
      unknown: 0,
      stale: 0,
      verdict: verdictOf([{ text: "The queue could not be read in time.", tone: "broken" }]),
    };
  const { counts, page, rows, totals } = read.value;
  const shown = { ...only(counts, "unknown", "stale"), totals };
  return {
    ...shown,
    list: { kind: "page", ...page, rows, at: counts.at },
    verdict: doubtVerdict({ ...shown, oldestMs: counts.oldestUnknownMs }),
  };
}
