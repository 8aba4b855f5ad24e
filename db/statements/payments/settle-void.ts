import type { Queryable } from "@/db/client";
import { PAYMENT_COLUMNS, type PaymentRow } from "@/db/queries/payments/payment-row";

export interface SettledVoid extends PaymentRow {
  readonly void_id: string;
}

/** pending → succeeded or failed; a void that succeeded voids its payment. @throws Error when it is not pending */
export async function settleVoid(
  db: Queryable,
  tenantId: string,
  operationId: string,
  status: "succeeded" | "failed",
  providerReference: string | undefined,
): Promise<SettledVoid> {
  const columns = PAYMENT_COLUMNS.split(", ")
    .map((column) => `p.${column}`)
    .join(", ");
  const { rows } = await db.query<SettledVoid>({
    name: "settle_void",
    text: `with settled as (
             update onceboard.voids
             set status = $3, provider_reference = coalesce($4, provider_reference), updated_at = clock_timestamp()
             where tenant_id = $1 and operation_id = $2 and status = 'pending'
             returning id, payment_id
           )
           update onceboard.payments p
           set status = case when $3 = 'succeeded' then 'voided' else p.status end, updated_at = clock_timestamp()
           from settled s where p.tenant_id = $1 and p.id = s.payment_id
           returning s.id as void_id, ${columns}`,
    values: [tenantId, operationId, status, providerReference],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the void of operation ${operationId} is not pending`);
  return row;
}
