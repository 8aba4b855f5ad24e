import { newId } from "@/domain/new-id";
import type { Queryable } from "@/db/client";
import { appendAudit } from "@/db/audit/append-audit";
import type { AuditAction } from "@/domain/access/audit-action";
import { chainOfSubject } from "@/domain/access/audit-chain";
import { signedText } from "@/domain/access/audit-text";
import { auditKey } from "../audit/signer";
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
  const id = newId();
  const chain = chainOfSubject(ctx.tenantId, entry.subject.type);
  const { action, reason, subject } = entry;
  const said = {
    ...{ id, actorKind: ctx.actor.kind, actorId: ctx.actor.id, actorName: ctx.actor.name, action },
    ...{ subjectType: subject.type, subjectId: subject.id, requestId: ctx.requestId },
  };
  const facts = { before: json(entry.before), after: json(entry.after), evidence: json(entry.evidence) };
  const key = auditKey();
  const signature = key?.sign(signedText({ ...said, chain, reason: reason ?? null, ...facts }));
  await appendAudit(tx, { ...said, ...facts, tenantId: chain, reason, keyId: key?.id, signature });
  return id;
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
