import type { Queryable } from "@/db/client";
import type { OperationState } from "@/domain/states";

export interface OperationByProviderKey {
  readonly operation_id: string;
  readonly state: OperationState;
  /** Its owner is at work now. */
  readonly leased: boolean;
}

/** Which operation did we send under this key? @returns undefined when none of this tenant. */
export async function operationByProviderKey(
  db: Queryable,
  tenantId: string,
  providerKey: string,
): Promise<OperationByProviderKey | undefined> {
  const { rows } = await db.query<OperationByProviderKey>({
    name: "operation_by_provider_key",
    text: `select r.operation_id, r.state, coalesce(o.locked_until > clock_timestamp(), false) as leased
           from onceboard.provider_requests p
           join onceboard.idempotency_requests r on r.tenant_id = p.tenant_id and r.operation_id = p.operation_id
           left join onceboard.idempotency_open o on o.tenant_id = p.tenant_id and o.operation_id = p.operation_id
           where p.tenant_id = $1 and p.provider_key = $2
           limit 1`,
    values: [tenantId, providerKey],
  });
  return rows[0];
}
