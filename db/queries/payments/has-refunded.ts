import type { Queryable } from "@/db/client";

/** Whether any of a payment went back for good; reservations of refunds that are not settled do not count. */
export async function hasRefunded(db: Queryable, tenantId: string, paymentId: string): Promise<boolean> {
  const { rows } = await db.query<{ refunded: boolean }>({
    text: `select exists (select 1 from onceboard.refunds
           where tenant_id = $1 and payment_id = $2 and status = 'succeeded') as refunded`,
    values: [tenantId, paymentId],
  });
  return rows[0]?.refunded === true;
}
