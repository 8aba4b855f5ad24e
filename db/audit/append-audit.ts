import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";

export interface AuditInsert {
  readonly tenantId: string;
  readonly id: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly reason: string | undefined;
  /** JSON texts. */
  readonly before: string | null;
  readonly after: string | null;
  readonly evidence: string | null;
  readonly requestId: string;
  /** Of the process's key, when it has one. */
  readonly keyId: string | undefined;
  readonly signature: Buffer | undefined;
}

export async function appendAudit(db: Queryable, row: AuditInsert): Promise<bigint> {
  const { tenantId: tenant, ...rest } = row;
  return (await callScalar<bigint>(db, "append_audit", { tenant, ...rest })) ?? 0n;
}
