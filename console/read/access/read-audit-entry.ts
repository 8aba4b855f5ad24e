import { readWithin } from "@/db/bounded-read";
import { only } from "@/db/query";
import { selectAuditEntry } from "@/db/audit/select-audit";
import type { AuditChain } from "@/domain/access/audit-chain";
import { UUID } from "@/domain/uuid";
import type { AuditDetail } from "@/presentation/views/audit";
import type { EngineContext } from "@/engine/context";
import { auditRow } from "../messages/message-rows";
import { readableChain } from "./audit-chain";
import { requirePermission } from "@/engine/actions/require";

/** One entry with what was before and after. @returns undefined when the chain has none of this id */
export async function readAuditEntry(
  ctx: EngineContext,
  input: { id: string; chain?: AuditChain | undefined },
): Promise<AuditDetail | undefined> {
  requirePermission(ctx, "audit.read");
  const chain = readableChain(ctx, input.chain);
  if (!UUID.test(input.id)) return undefined;
  const row = await readWithin(ctx.db, "detail", (q) => selectAuditEntry(q, chain, input.id));
  if (row === undefined) return undefined;
  return {
    ...auditRow(row),
    ...only(row, "actorId", "before", "after", "evidence", "requestId"),
    previousHash: row.previousHash.toString("hex"),
    hash: row.hash.toString("hex"),
  };
}
