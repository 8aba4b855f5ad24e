import { fittingCursor, PAGE_ROWS } from "@/db/queries/paging";
import { boundedRead } from "@/db/queries/sql-text";
import { selectDestinations } from "@/db/queries/console/select-destinations";
import { OPEN_OUTBOX_SORT, PUBLISHED_SORT, selectOutbox } from "@/db/queries/console/select-outbox";
import { cutPage, decodeCursor } from "@/domain/cursor";
import type { OutboxFilters } from "@/domain/filters/outbox";
import { windowHours } from "@/domain/filters/search";
import { outboxVerdict } from "@/domain/overview-verdict";
import { verdictOf } from "@/domain/verdict";
import type { OutboxView } from "@/domain/views/outbox";
import type { EngineContext } from "@/engine/context";
import { outboxRow } from "./message-rows";
import { requirePermission } from "./require";

/** One page of the outbox, with what waits per destination. @throws AppError `auth.forbidden` 403 */
export async function listOutbox(
  ctx: EngineContext,
  input: { filters: OutboxFilters; cursor?: string | undefined },
): Promise<OutboxView> {
  requirePermission(ctx, "outbox.read");
  const { filters } = input;
  const published = filters.state === "published";
  const sort = published ? "published" : "open";
  const cursor = fittingCursor(decodeCursor(input.cursor, sort), published ? PUBLISHED_SORT : OPEN_OUTBOX_SORT);
  const read = await boundedRead(ctx.db, "list", async (q) => ({
    rows: await selectOutbox(q, ctx.tenantId, filters, {
      limit: PAGE_ROWS,
      direction: published ? "desc" : "asc",
      cursor,
    }),
    destinations: await selectDestinations(q, ctx.tenantId),
  }));
  if (read.kind === "too_broad") {
    const verdict = verdictOf([{ text: "The outbox could not be read in time.", tone: "broken" }]);
    return { list: { ...read, hours: windowHours(filters) }, verdict, pending: 0, dead: 0, destinations: [] };
  }
  const { rows, destinations } = read.value;
  const page = cutPage(rows, PAGE_ROWS, cursor, sort, (row) => ({
    value: row.sort_value,
    id: published ? row.id : row.position.toString(),
  }));
  const sum = (part: "pending" | "dead"): number => destinations.reduce((total, row) => total + row[part], 0);
  const waits = destinations.flatMap((row) => (row.oldest_ms === null ? [] : [row.oldest_ms]));
  const facts = {
    pending: sum("pending"),
    dead: sum("dead"),
    oldestMs: waits.length === 0 ? undefined : Math.max(...waits),
  };
  return {
    list: { kind: "page", ...page, rows: page.rows.map(outboxRow), at: rows[0]?.at ?? new Date().toISOString() },
    verdict: outboxVerdict(facts),
    ...facts,
    destinations: destinations.map((row) => ({
      topic: row.topic,
      pending: row.pending,
      dead: row.dead,
      oldestMs: row.oldest_ms ?? undefined,
    })),
  };
}
