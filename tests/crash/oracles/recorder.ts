import type { Queryable } from "@/db/client";
import { columnName } from "@/db/named-call";
import { MESSAGE_DEFINITIONS } from "./recorder-messages";

/**
 * What the crash suite saw for itself, beside the product's tables and never read by the product: the answers of its clients,
 * what the provider's own ledger holds, and every change of a state, taken by triggers that only the suite's databases have.
 */
const DEFINITIONS = `
create schema witness;
create table witness.journal (
  id bigint generated always as identity primary key, tenant_id text not null, client text not null,
  -- What the client wants, once, whatever keys and tries it takes.
  intent text not null, operation text not null, key text not null, request_hash text not null, amount_minor bigint,
  phase text not null, retries boolean not null, sent_at timestamptz not null, told_at timestamptz not null default clock_timestamp(),
  outcome text not null, status integer, code text, certainty text, retryable boolean, body_hash text,
  resource_type text, resource_id text, operation_id uuid);
create index on witness.journal (tenant_id, intent);
create table witness.provider_ledger (
  tenant_id text not null, provider_key text not null, kind text not null, status text not null, amount_minor bigint not null,
  currency text not null, operation_id uuid, reference text not null);
create index on witness.provider_ledger (tenant_id, operation_id);
create table witness.transitions (
  id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(), tenant_id text not null,
  operation_id uuid not null, from_state text not null, to_state text not null, from_fence integer, to_fence integer);
create index on witness.transitions (tenant_id, operation_id, id);
create table witness.leases (
  id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(), tenant_id text not null,
  operation_id uuid not null, from_fence integer, to_fence integer, from_stage text, to_stage text, from_owner text, to_owner text,
  lease_left interval);
create index on witness.leases (tenant_id, operation_id, id);

create function witness.on_request() returns trigger language plpgsql security definer as $$
begin
  if tg_op = 'UPDATE' and new.state = old.state and new.fence = old.fence then
    return null;
  end if;
  insert into witness.transitions (tenant_id, operation_id, from_state, to_state, from_fence, to_fence)
  values (coalesce(new.tenant_id, old.tenant_id), coalesce(new.operation_id, old.operation_id), coalesce(old.state, 'none'),
    coalesce(new.state, 'none'), old.fence, new.fence);
  return null;
end $$;
create trigger witness after insert or update or delete on onceboard.idempotency_requests
  for each row execute function witness.on_request();

create function witness.on_open() returns trigger language plpgsql security definer as $$
begin
  if new.fence = old.fence and new.stage = old.stage and new.owner is not distinct from old.owner then
    return null;
  end if;
  insert into witness.leases (tenant_id, operation_id, from_fence, to_fence, from_stage, to_stage, from_owner, to_owner, lease_left)
  values (new.tenant_id, new.operation_id, old.fence, new.fence, old.stage, new.stage, old.owner, new.owner,
    old.locked_until - clock_timestamp());
  return null;
end $$;
create trigger witness after update on onceboard.idempotency_open for each row execute function witness.on_open();
`;

/** Makes the tables and triggers; a database of the suite only, never one that serves callers. */
export async function createRecorder(q: Queryable): Promise<void> {
  await q.query({ text: DEFINITIONS + MESSAGE_DEFINITIONS });
}

/** What one call came to: `lost` when no answer came back. */
export interface CallResult {
  readonly outcome: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly certainty: string | undefined;
  readonly retryable: boolean | undefined;
  readonly bodyHash: string | undefined;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  readonly operationId: string | undefined;
}

export interface JournalEntry extends CallResult {
  readonly tenantId: string;
  readonly client: string;
  readonly intent: string;
  readonly operation: string;
  readonly key: string;
  readonly requestHash: string;
  readonly amountMinor: bigint | undefined;
  readonly phase: "before" | "crash" | "paused" | "heal" | "audit" | "tail";
  /** Whether this client goes on until it knows. */
  readonly retries: boolean;
  readonly sentAt: Date;
}

export function journal(q: Queryable, entry: JournalEntry): Promise<void> {
  return insert(q, "journal", entry);
}

/** A member is a column; what is undefined is null. */
async function insert(q: Queryable, table: string, row: JournalEntry | (ProviderRow & { tenantId: string })) {
  const members = Object.entries(row);
  const columns = members.map(([name]) => columnName(name));
  await q.query({
    text: `insert into witness.${table} (${columns.join(", ")}) values (${columns.map((_, n) => `$${String(n + 1)}`).join(", ")})`,
    values: members.map(([, value]) => value as unknown),
  });
}

export interface ProviderRow {
  readonly providerKey: string;
  readonly kind: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly operationId: string | undefined;
  readonly reference: string;
}

/** Replaces what is known of the provider's ledger for one tenant. */
export async function keepProviderLedger(q: Queryable, tenantId: string, rows: readonly ProviderRow[]): Promise<void> {
  await q.query({ text: "delete from witness.provider_ledger where tenant_id = $1", values: [tenantId] });
  for (const row of rows) await insert(q, "provider_ledger", { tenantId, ...row });
}
