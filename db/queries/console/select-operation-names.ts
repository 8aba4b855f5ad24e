import type { Queryable } from "@/db/client";

export interface OperationNamesRow {
  readonly kind: "payment" | "refund" | "void" | "account" | "receipt" | "notice" | "webhook";
  readonly id: string;
  readonly provider_key: string | null;
  readonly provider_reference: string | null;
}

/** The business rows an operation made, and the notifications kept for it. */
export async function selectOperationNames(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<OperationNamesRow[]> {
  const { rows } = await q.query<OperationNamesRow>({
    text: `select 'payment' as kind, p.id::text, p.provider_key, p.provider_reference from onceboard.payments p where p.tenant_id = $1 and p.operation_id = $2
union all select 'refund', r.id::text, r.provider_key, r.provider_reference from onceboard.refunds r where r.tenant_id = $1 and r.operation_id = $2
union all select 'void', v.id::text, v.provider_key, v.provider_reference from onceboard.voids v where v.tenant_id = $1 and v.operation_id = $2
union all select n.kind, n.notification_key, null, null from onceboard.notifications n where n.tenant_id = $1 and n.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows;
}
