import type { Queryable } from "@/db/client";

/** Rows of each kind that a proof reads; one of each is what there should be. */
export const PROOF_CALLS = 500;
export const PROOF_ROWS = 50;

export interface ProofCallRow {
  readonly id: string;
  readonly kind: string;
  readonly provider_key: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly outcome: string | null;
  readonly provider_reference: string | null;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
}

/** The provider's journal of one operation in order, one more than the limit. */
export async function selectProofCalls(q: Queryable, tenantId: string, operationId: string): Promise<ProofCallRow[]> {
  const { rows } = await q.query<ProofCallRow>({
    text: `select p.id, p.kind, p.provider_key, p.state, p.outcome, p.provider_reference, p.amount_minor, p.currency
from onceboard.provider_requests p where p.tenant_id = $1 and p.operation_id = $2 order by p.prepared_at, p.id limit $3`,
    values: [tenantId, operationId, PROOF_CALLS + 1],
  });
  return rows;
}

export interface ProofMadeRow {
  readonly table: "payments" | "refunds" | "voids" | "accounts";
  readonly id: string;
  readonly status: string | null;
  readonly account: string | null;
  readonly reference: string | null;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly provider_key: string | null;
  readonly provider_reference: string | null;
}

/**
 * The business rows that carry an operation's id, one more than the limit.
 * @param accountId of the command: accounts are found by their own id
 */
export async function selectProofMade(
  q: Queryable,
  tenantId: string,
  operationId: string,
  accountId: string | undefined,
): Promise<ProofMadeRow[]> {
  const { rows } = await q.query<ProofMadeRow>({
    text: `select * from (
  select 'payments' as "table", p.id::text, p.status, p.account_id as account, p.merchant_reference as reference, p.amount_minor, p.currency, p.provider_key, p.provider_reference
  from onceboard.payments p where p.tenant_id = $1 and p.operation_id = $2
  union all select 'refunds', r.id::text, r.status, null, r.payment_id::text, r.amount_minor, r.currency, r.provider_key, r.provider_reference
  from onceboard.refunds r where r.tenant_id = $1 and r.operation_id = $2
  union all select 'voids', v.id::text, v.status, null, v.payment_id::text, null, null, v.provider_key, v.provider_reference
  from onceboard.voids v where v.tenant_id = $1 and v.operation_id = $2
  union all select 'accounts', a.id, null, a.id, null, null, null, null, null
  from onceboard.accounts a where a.tenant_id = $1 and a.id = $3 and a.operation_id = $2) made
order by made."table", made.id limit $4`,
    values: [tenantId, operationId, accountId ?? null, PROOF_ROWS + 1],
  });
  return rows;
}

export interface ProofEntryRow {
  readonly id: string;
  readonly entry_type: string;
  readonly source_id: string;
  readonly operation_id: string;
  readonly debit_account: string;
  readonly credit_account: string;
  readonly amount_minor: bigint;
  readonly currency: string;
}

const ENTRY_TYPES = ["payment", "refund", "void"];

/**
 * Ledger entries of an operation, and those that name a row it made under whatever operation: one more than the limit.
 * @param sourceIds uuids of the business rows
 */
export async function selectProofEntries(
  q: Queryable,
  tenantId: string,
  operationId: string,
  sourceIds: readonly string[],
): Promise<ProofEntryRow[]> {
  const columns =
    "l.id, l.entry_type, l.source_id, l.operation_id, l.debit_account, l.credit_account, l.amount_minor, l.currency";
  const { rows } = await q.query<ProofEntryRow>({
    text: `select * from (
  select ${columns} from onceboard.ledger_entries l where l.tenant_id = $1 and l.operation_id = $2
  union select ${columns} from onceboard.ledger_entries l
  where l.tenant_id = $1 and l.entry_type = any($4::text[]) and l.source_id = any($3::uuid[])) entry
order by entry.id limit $5`,
    values: [tenantId, operationId, sourceIds, ENTRY_TYPES, PROOF_ROWS + 1],
  });
  return rows;
}

export interface ProofNotificationRow {
  readonly id: string;
  readonly notification_key: string;
  readonly kind: string;
  readonly state: string;
}

/** Messages to people about an operation, one more than the limit. */
export async function selectProofNotifications(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<ProofNotificationRow[]> {
  const { rows } = await q.query<ProofNotificationRow>({
    text: `select n.id, n.notification_key, n.kind, n.state from onceboard.notifications n
where n.tenant_id = $1 and n.operation_id = $2 and n.kind <> 'webhook' order by n.created_at, n.id limit $3`,
    values: [tenantId, operationId, PROOF_ROWS + 1],
  });
  return rows;
}
