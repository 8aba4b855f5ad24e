import type { Queryable } from "@/engine/index";
import type { EffectStatus } from "./payments";

export const REFUND_COLUMNS =
  "id, operation_id, payment_id, amount_minor, currency, reason, status, provider_key, provider_reference, created_at";

export interface RefundRow {
  readonly id: string;
  readonly operation_id: string;
  readonly payment_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly status: EffectStatus;
  readonly provider_key: string;
  readonly provider_reference: string | null;
  readonly created_at: Date;
}

export async function findRefund(
  db: Queryable,
  tenantId: string,
  by: { readonly id: string } | { readonly operationId: string },
): Promise<RefundRow | undefined> {
  const [column, value] = "id" in by ? ["id", by.id] : ["operation_id", by.operationId];
  const { rows } = await db.query<RefundRow>({
    text: `select ${REFUND_COLUMNS} from payments.refunds where tenant_id = $1 and ${column} = $2`,
    values: [tenantId, value],
  });
  return rows[0];
}

/** Whether any of a payment went back for good; reservations of refunds that are not settled do not count. */
export async function hasRefunded(db: Queryable, tenantId: string, paymentId: string): Promise<boolean> {
  const { rows } = await db.query<{ refunded: boolean }>({
    text: `select exists (select 1 from payments.refunds
           where tenant_id = $1 and payment_id = $2 and status = 'succeeded') as refunded`,
    values: [tenantId, paymentId],
  });
  return rows[0]?.refunded === true;
}

/** @returns the first refund of a payment that took effect, or still may; one that failed gave its money back */
export async function firstRefund(db: Queryable, tenantId: string, paymentId: string): Promise<RefundRow | undefined> {
  const { rows } = await db.query<RefundRow>({
    text: `select ${REFUND_COLUMNS} from payments.refunds
           where tenant_id = $1 and payment_id = $2 and status <> 'failed'
           order by status = 'pending', created_at limit 1`,
    values: [tenantId, paymentId],
  });
  return rows[0];
}

export interface RefundInsert {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly providerKey: string;
}

/** Creates the refund and reserves its amount on the payment; the CHECK of payments refuses more than what is left. */
export async function insertRefund(db: Queryable, refund: RefundInsert): Promise<RefundRow> {
  const { tenantId, id, operationId, paymentId, amountMinor, currency, reason, providerKey } = refund;
  const { rows } = await db.query<RefundRow>({
    name: "insert_refund",
    text: `with reserved as (
             update payments.payments set refunded_minor = refunded_minor + $5, updated_at = now()
             where tenant_id = $1 and id = $4
           )
           insert into payments.refunds (tenant_id, id, operation_id, payment_id, amount_minor, currency, reason, status, provider_key)
           values ($1, $2, $3, $4, $5, $6, $7, 'pending', $8)
           returning ${REFUND_COLUMNS}`,
    values: [tenantId, id, operationId, paymentId, amountMinor, currency, reason, providerKey],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the refund of operation ${operationId} was not inserted`);
  return row;
}

/** pending → succeeded or failed; a failed refund gives its reservation back. @returns the refund with the account of its payment @throws Error when it is not pending */
export async function settleRefund(
  db: Queryable,
  tenantId: string,
  operationId: string,
  status: "succeeded" | "failed",
  providerReference: string | undefined,
): Promise<RefundRow & { readonly account_id: string }> {
  const { rows } = await db.query<RefundRow & { readonly account_id: string }>({
    name: "settle_refund",
    text: `with settled as (
             update payments.refunds
             set status = $3, provider_reference = coalesce($4, provider_reference), updated_at = now()
             where tenant_id = $1 and operation_id = $2 and status = 'pending'
             returning *
           ), freed as (
             update payments.payments p set refunded_minor = p.refunded_minor - s.amount_minor, updated_at = now()
             from settled s where p.tenant_id = $1 and p.id = s.payment_id and $3 = 'failed'
           )
           select ${REFUND_COLUMNS},
             (select p.account_id from payments.payments p where p.tenant_id = $1 and p.id = payment_id) as account_id
           from settled`,
    values: [tenantId, operationId, status, providerReference],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`the refund of operation ${operationId} is not pending`);
  return row;
}

/** Takes a pending refund and its reservation back after a definite failure without effect. */
export async function deletePendingRefund(db: Queryable, tenantId: string, operationId: string): Promise<void> {
  await db.query({
    name: "delete_pending_refund",
    text: `with gone as (
             delete from payments.refunds where tenant_id = $1 and operation_id = $2 and status = 'pending'
             returning payment_id, amount_minor
           )
           update payments.payments p set refunded_minor = p.refunded_minor - gone.amount_minor, updated_at = now()
           from gone where p.tenant_id = $1 and p.id = gone.payment_id`,
    values: [tenantId, operationId],
  });
}
