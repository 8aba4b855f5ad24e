import { fittingCursor, PAGE_ROWS } from "@/db/paging";
import { boundedRead } from "@/db/bounded-read";
import { AUDIT_SORT, selectAudit } from "@/db/audit/select-audit";
import type { AuditView } from "@/presentation/views/audit";
import type { EngineContext } from "@/engine/context";
import { auditRow } from "../messages/message-rows";
import { readableChain } from "./audit-chain";
import { requirePermission } from "@/engine/actions/require";
import { windowHours } from "@/domain/lists/window";
import type { AuditFilters } from "@/domain/lists/filters";
import { cutPage, decodeCursor } from "@/domain/lists/cursor";

const SORT = "audit";

/** One page of the audit, newest first: of the tenant, or of the access log. @throws AppError `auth.forbidden`, `auth.person_only` 403 */
export async function listAudit(
  ctx: EngineContext,
  input: { filters: AuditFilters; cursor?: string | undefined },
): Promise<AuditView> {
  requirePermission(ctx, "audit.read");
  const chain = readableChain(ctx, input.filters.chain);
  const cursor = fittingCursor(decodeCursor(input.cursor, SORT), AUDIT_SORT);
  const read = await boundedRead(ctx.db, "list", (q) =>
    selectAudit(q, chain, input.filters, { limit: PAGE_ROWS, direction: "desc", cursor }),
  );
  if (read.kind === "too_broad") return { list: { ...read, hours: windowHours(input.filters) } };
  const page = cutPage(read.value, PAGE_ROWS, cursor, SORT, (row) => ({ value: row.at, id: row.sequence }));
  return { list: { kind: "page", ...page, rows: page.rows.map(auditRow), at: new Date().toISOString() } };
}
