import type { Queryable } from "@/db/client";

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

/** Adds one entry to the tenant's chain. @returns its sequence. */
export async function appendAudit(db: Queryable, row: AuditInsert): Promise<bigint> {
  const { rows } = await db.query<{ sequence: bigint }>({
    name: "append_audit",
    text: "select onceboard.append_audit($1,$2,$3,$4,$5,$6,$7,$8,$9,$10::jsonb,$11::jsonb,$12::jsonb,$13) as sequence",
    values: [
      row.tenantId,
      row.id,
      row.actorKind,
      row.actorId,
      row.actorName,
      row.action,
      row.subjectType,
      row.subjectId,
      row.reason,
      json(row.before),
      json(row.after),
      json(row.evidence),
      row.requestId,
    ],
  });
  return rows[0]?.sequence ?? 0n;
}
