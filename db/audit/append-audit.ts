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
  readonly before: unknown;
  readonly after: unknown;
  readonly evidence: unknown;
  readonly requestId: string;
}

const json = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

export async function appendAudit(db: Queryable, row: AuditInsert): Promise<bigint> {
  const { tenantId: tenant, before, after, evidence, ...rest } = row;
  const facts = { before: json(before), after: json(after), evidence: json(evidence) };
  return (await callScalar<bigint>(db, "append_audit", { tenant, ...rest, ...facts })) ?? 0n;
}
