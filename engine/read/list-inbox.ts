import { fittingCursor, PAGE_ROWS } from "@/db/queries/paging";
import { boundedRead } from "@/db/queries/sql-text";
import { INBOX_SORT, selectInbox } from "@/db/queries/console/select-inbox";
import { selectOpenCounts } from "@/db/queries/console/select-open-counts";
import { cutPage, decodeCursor } from "@/domain/cursor";
import type { InboxFilters } from "@/domain/filters/inbox";
import { windowHours } from "@/domain/filters/search";
import { inboxVerdict } from "@/domain/overview-verdict";
import { verdictOf } from "@/domain/verdict";
import type { InboxView } from "@/domain/views/inbox";
import type { EngineContext } from "@/engine/context";
import { inboxRow } from "./message-rows";
import { requirePermission } from "./require";

const SORT = "received";

/** One page of the inbox, newest first. @throws AppError `auth.forbidden` 403 */
export async function listInbox(
  ctx: EngineContext,
  input: { filters: InboxFilters; cursor?: string | undefined },
): Promise<InboxView> {
  requirePermission(ctx, "inbox.read");
  const { filters } = input;
  const cursor = fittingCursor(decodeCursor(input.cursor, SORT), INBOX_SORT);
  const read = await boundedRead(ctx.db, "list", async (q) => ({
    rows: await selectInbox(q, ctx.tenantId, filters, { limit: PAGE_ROWS, direction: "desc", cursor }),
    counts: await selectOpenCounts(q, ctx.tenantId),
  }));
  if (read.kind === "too_broad") {
    const verdict = verdictOf([{ text: "The inbox could not be read in time.", tone: "broken" }]);
    return { list: { ...read, hours: windowHours(filters) }, verdict, recorded: 0, dead: 0 };
  }
  const { rows, counts } = read.value;
  const page = cutPage(rows, PAGE_ROWS, cursor, SORT, (row) => ({ value: row.received_at, id: row.id }));
  const oldestMs = counts.oldest_inbox_ms ?? undefined;
  return {
    list: { kind: "page", ...page, rows: page.rows.map(inboxRow), at: counts.at },
    verdict: inboxVerdict({ pending: counts.inbox_recorded, dead: counts.inbox_dead, oldestMs }),
    recorded: counts.inbox_recorded,
    dead: counts.inbox_dead,
    oldestMs,
  };
}
