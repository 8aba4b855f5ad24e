import { PAGE_ROWS } from "@/db/paging";
import { only } from "@/db/query";
import { boundedRead } from "@/db/bounded-read";
import { AUDIT_SORT, FOLD_LOOK, selectAudit, selectFoldedAudit, type FoldedAuditRow } from "@/db/audit/select-audit";
import type { AuditFold, AuditView } from "@/presentation/views/audit";
import type { EngineContext } from "@/engine/context";
import { auditRow } from "../messages/message-rows";
import { readableChain } from "./audit-chain";
import { requirePermission } from "@/engine/actions/require";
import { windowHours } from "@/domain/lists/window";
import type { AuditFilters } from "@/domain/lists/filters";
import { cutPage, readCursor, encodeCursor, type Cursor } from "@/domain/lists/cursor";

const SORT = "audit";

/** One page of the audit, newest first: of the tenant, or of the access log. @throws AppError `auth.forbidden`, `auth.person_only` 403 */
export async function listAudit(
  ctx: EngineContext,
  input: { filters: AuditFilters; cursor?: string | undefined },
): Promise<AuditView> {
  requirePermission(ctx, "audit.read");
  const chain = readableChain(ctx, input.filters.chain);
  const cursor = readCursor(input.cursor, SORT, AUDIT_SORT);
  const read = await boundedRead(ctx.db, "list", (q) =>
    selectAudit(q, chain, input.filters, { limit: PAGE_ROWS, direction: "desc", cursor }),
  );
  if (read.kind === "too_broad") return { list: { ...read, hours: windowHours(input.filters) } };
  const page = cutPage(read.value, PAGE_ROWS, cursor, SORT, (row) => ({ value: row.at, id: row.sequence }));
  return { list: { kind: "page", ...page, rows: page.rows.map(auditRow), at: new Date().toISOString() } };
}

/**
 * The same page with the entries of one plan or one request on one line. A list of one cause shows its entries.
 * @throws AppError `auth.forbidden`, `auth.person_only` 403
 */
export async function foldedAudit(
  ctx: EngineContext,
  input: { filters: AuditFilters; cursor?: string | undefined },
): Promise<AuditView> {
  if (input.filters.cause !== undefined) return listAudit(ctx, input);
  requirePermission(ctx, "audit.read");
  const chain = readableChain(ctx, input.filters.chain);
  const cursor = readCursor(input.cursor, SORT, AUDIT_SORT);
  const read = await boundedRead(ctx.db, "list", (q) =>
    selectFoldedAudit(q, chain, input.filters, { limit: PAGE_ROWS, direction: "desc", cursor }),
  );
  if (read.kind === "too_broad") return { list: { ...read, hours: windowHours(input.filters) } };
  return { list: { kind: "page", ...foldedPage(read.value, cursor), at: new Date().toISOString() } };
}

/** A page of lines: the next begins behind the oldest entry of the last, the one before ahead of the newest of the first. */
function foldedPage(found: readonly FoldedAuditRow[], cursor: Cursor | undefined) {
  const back = cursor?.direction === "previous";
  const more = found.length > PAGE_ROWS || (found[0]?.looked ?? 0) >= FOLD_LOOK;
  const kept = found.slice(0, PAGE_ROWS);
  const lines = back ? kept.reverse() : kept;
  const [first, last] = [lines[0], lines.at(-1)];
  return {
    rows: lines.map((line) => ({ ...auditRow(line), fold: foldOf(line) })),
    next:
      last !== undefined && (back || more)
        ? encodeCursor({ sort: SORT, direction: "next", value: last.oldestAt, id: last.oldestSequence })
        : undefined,
    previous:
      first !== undefined && (back ? more : cursor !== undefined)
        ? encodeCursor({ sort: SORT, direction: "previous", value: first.at, id: first.sequence })
        : undefined,
  };
}

function foldOf(line: FoldedAuditRow): AuditFold | undefined {
  const { cause, entries, oldestAt, oldestSequence, behindNewest } = line;
  if (cause === undefined || entries < 2) return undefined;
  const said = only(line, "actions", "subjectTypes", "actors", "reasons");
  return { cause, entries, ...said, oldest: oldestSequence, from: oldestAt, to: behindNewest };
}
