import type { Queryable } from "@/db/client";
import { VOID_COLUMNS, type VoidRow } from "@/db/queries/payments/find-void";

export interface NewVoid {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly paymentId: string;
  readonly providerKey: string;
}

/** @returns undefined when this payment is being voided, or was, under another key. */
export async function insertVoid(db: Queryable, input: NewVoid): Promise<VoidRow | undefined> {
  const { rows } = await db.query<VoidRow>({
    name: "insert_void",
    text: `insert into onceboard.voids (tenant_id, id, operation_id, payment_id, status, provider_key)
           values ($1, $2, $3, $4, 'pending', $5)
           on conflict do nothing
           returning ${VOID_COLUMNS}`,
    values: [input.tenantId, input.id, input.operationId, input.paymentId, input.providerKey],
  });
  return rows[0];
}
