import { readWithin } from "@/db/queries/sql-text";
import { selectAuditEntry } from "@/db/queries/console/select-audit";
import { UUID } from "@/domain/filters/search";
import type { AuditDetail } from "@/domain/views/audit";
import type { EngineContext } from "@/engine/context";
import { auditRow } from "./message-rows";
import { requirePermission } from "./require";

/** One entry with what was before and after. @returns undefined when this tenant has none of this id */
export async function readAuditEntry(ctx: EngineContext, input: { id: string }): Promise<AuditDetail | undefined> {
  requirePermission(ctx, "audit.read");
  if (!UUID.test(input.id)) return undefined;
  const row = await readWithin(ctx.db, "detail", (q) => selectAuditEntry(q, ctx.tenantId, input.id));
  if (row === undefined) return undefined;
  return {
    ...auditRow(row),
    actorId: row.actor_id,
    before: row.before ?? undefined,
    after: row.after ?? undefined,
    evidence: row.evidence ?? undefined,
    requestId: row.request_id ?? undefined,
    previousHash: row.previous_hash.toString("hex"),
    hash: row.hash.toString("hex"),
  };
}
