import type { Queryable } from "@/engine/index";
import { PAYMENT_COLUMNS, type EffectStatus, type PaymentRow } from "./payments";

export const VOID_COLUMNS = "id, payment_id, status, provider_key, created_at";

export interface VoidRow {
  readonly id: string;
  readonly payment_id: string;
  readonly status: EffectStatus;
  readonly provider_key: string;
  readonly created_at: Date;
}

/** The void of an operation, or the active one of a payment. */
export async function findVoid(
  db: Queryable,
  tenantId: string,
  by: { readonly operationId: string } | { readonly paymentId: string },
): Promise<VoidRow | undefined> {
  const [condition, value] =
    "operationId" in by
      ? ["operation_id = $2", by.operationId]
      : ["payment_id = $2 and status <> 'failed'", by.paymentId];
  const { rows } = await db.query<VoidRow>({
    text: `select ${VOID_COLUMNS} from payments.voids where tenant_id = $1 and ${condition}`,
    values: [tenantId, value],
  });
  return rows[0];
}

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
    text: `insert into payments.voids (tenant_id, id, operation_id, payment_id, status, provider_key)
           values ($1, $2, $3, $4, 'pending', $5)
           on conflict do nothing
           returning ${VOID_COLUMNS}`,
    values: [input.tenantId, input.id, input.operationId, input.paymentId, input.providerKey],
  });
  return rows[0];
}

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
             update payments.voids
             set status = $3, provider_reference = coalesce($4, provider_reference), updated_at = now()
             where tenant_id = $1 and operation_id = $2 and status = 'pending'
             returning id, payment_id
           )
           update payments.payments p
           set status = case when $3 = 'succeeded' then 'voided' else p.status end, updated_at = now()
           from settled s where p.tenant_id = $1 and p.id = s.payment_id
           returning s.id as void_id, ${columns}`,
    values: [tenantId, operationId, status, providerReference],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the void of operation ${operationId} is not pending`);
  return row;
}

/** Takes a pending void back after a definite failure without effect. */
export async function deletePendingVoid(db: Queryable, tenantId: string, operationId: string): Promise<void> {
  await db.query({
    name: "delete_pending_void",
    text: "delete from payments.voids where tenant_id = $1 and operation_id = $2 and status = 'pending'",
    values: [tenantId, operationId],
  });
}
