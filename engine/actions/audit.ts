import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { appendAudit } from "@/db/audit/append-audit";
import type { AuditAction } from "@/domain/access/audit-action";
import { chainOfSubject } from "@/domain/access/audit-chain";
import type { EngineContext } from "../context";

export interface AuditEntry {
  /** What was done: `operations.resolve`, `outbox.requeue` … */
  readonly action: AuditAction;
  readonly subject: { readonly type: string; readonly id: string };
  readonly reason?: string | undefined;
  /** Facts before and after; never a body, never a secret. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly evidence?: unknown;
}

/**
 * Adds an entry to the tenant's chain, or to the access log when it is about a person, in the transaction of what it tells of.
 * The chain's end is locked until that commits, so it belongs at the end of a short transaction.
 * @returns the entry's id
 */
export async function audit(
  ctx: Pick<EngineContext, "tenantId" | "actor" | "requestId">,
  tx: Queryable,
  entry: AuditEntry,
): Promise<string> {
  const id = uuidv7();
  await appendAudit(tx, {
    tenantId: chainOfSubject(ctx.tenantId, entry.subject.type),
    id,
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.id,
    actorName: ctx.actor.name,
    action: entry.action,
    subjectType: entry.subject.type,
    subjectId: entry.subject.id,
    reason: entry.reason,
    before: entry.before,
    after: entry.after,
    evidence: entry.evidence,
    requestId: ctx.requestId,
  });
  return id;
}
