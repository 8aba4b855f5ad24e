import { boundedRead } from "@/db/queries/sql-text";
import { verifyAuditChain } from "@/db/queries/console/select-audit";
import type { AuditVerification } from "@/domain/views/audit";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "./require";

/** Walks the whole chain of the tenant (C.12). `unfinished` when it is too long for one check. */
export async function verifyAudit(
  ctx: EngineContext,
  _input: Readonly<Record<string, never>> = {},
): Promise<AuditVerification> {
  requirePermission(ctx, "audit.read");
  const read = await boundedRead(ctx.db, "check", (q) => verifyAuditChain(q, ctx.tenantId));
  const at = new Date().toISOString();
  if (read.kind === "too_broad") return { at, result: "unfinished", checked: "0" };
  const { broken_at: brokenAt, reason, checked } = read.value;
  return {
    at,
    result: brokenAt === null ? "holds" : "broken",
    checked: checked.toString(),
    brokenAt: brokenAt?.toString(),
    why: reason ?? undefined,
  };
}
