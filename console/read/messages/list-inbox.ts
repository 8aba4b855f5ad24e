import { fittingCursor, PAGE_ROWS } from "@/db/paging";
import { boundedRead } from "@/db/sql-text";
import { INBOX_SORT, selectInbox, selectInboxHorizon } from "@/db/inbox/select-inbox";
import type { InboxView } from "@/presentation/views/inbox";
import type { EngineContext } from "@/engine/context";
import { placeSums, verdictOfPlaces } from "./list-outbox";
import { judgedInboxRow, withDeadFacts } from "./judged-rows";
import { withScanLimit, scanPage } from "../scan-page";
import { readPlaces } from "./place-rows";
import { requirePermission } from "@/engine/actions/require";
import { windowHours } from "@/domain/lists/window";
import type { InboxFilters } from "@/domain/lists/filters";
import { cutPage, decodeCursor } from "@/domain/lists/cursor";

const SORT = "received";

/** One page of the inbox, newest first, with what waits per consumer. @throws AppError `auth.forbidden` 403 */
export async function listInbox(
  ctx: EngineContext,
  input: { filters: InboxFilters; cursor?: string | undefined },
): Promise<InboxView> {
  requirePermission(ctx, "inbox.read");
  const { filters } = input;
  const cursor = fittingCursor(decodeCursor(input.cursor, SORT), INBOX_SORT);
  const [read, counted] = await Promise.all([
    boundedRead(ctx.db, "list", async (q) => {
      const found = await scanPage(
        { limit: PAGE_ROWS, direction: "desc", cursor },
        (page) => selectInbox(q, ctx.tenantId, filters, page),
        (page) => selectInboxHorizon(q, ctx.tenantId, filters, page),
      );
      return { ...found, ...(await withDeadFacts(q, ctx.tenantId, "inbox", found.rows)) };
    }),
    boundedRead(ctx.db, "list", (q) => readPlaces(q, ctx.tenantId, "inbox", { fallback: "http" })),
  ]);
  const places = counted.kind === "done" ? counted.value : undefined;
  const { waiting: recorded, ...sums } = placeSums(places);
  const facts = { ...sums, recorded, verdict: verdictOfPlaces(places, "inbox"), places };
  if (read.kind === "too_broad") return { ...facts, list: { ...read, hours: windowHours(filters) } };
  const { rows: found, horizon, dead } = read.value;
  const cut = cutPage(found, PAGE_ROWS, cursor, SORT, (row) => ({ value: row.received_at, id: row.id }));
  const rows = withScanLimit(cut, cursor, SORT, horizon);
  const at = found[0]?.at ?? places?.at ?? new Date().toISOString();
  return { ...facts, list: { kind: "page", ...rows, rows: rows.rows.map((row) => judgedInboxRow(row, dead)), at } };
}
