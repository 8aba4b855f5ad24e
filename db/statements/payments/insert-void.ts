import type { Queryable } from "@/db/client";

export interface NewVoid {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly paymentId: string;
  readonly providerKey: string;
}

/** @returns false when this payment is being voided, or was, under another key. */
export async function insertVoid(db: Queryable, input: NewVoid): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "insert_void",
    text: `insert into onceboard.voids (tenant_id, id, operation_id, payment_id, status, provider_key)
           values ($1, $2, $3, $4, 'pending', $5)
           on conflict do nothing`,
    values: [input.tenantId, input.id, input.operationId, input.paymentId, input.providerKey],
  });
  return rowCount === 1;
}
