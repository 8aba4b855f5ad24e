-- Some databases have these tables already, from the time when they stood in the schema of Onceboard.
create table if not exists payments.accounts (
  tenant_id text not null,
  id text not null,
  operation_id uuid not null,
  currency text not null,
  default_currency text not null,
  -- Where receipts go; none are sent without it.
  email text,
  -- Its ETag.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_tenant_id_id_pk primary key (tenant_id, id)
);
create index if not exists accounts_operation on payments.accounts (tenant_id, operation_id);

create table if not exists payments.payments (
  tenant_id text not null,
  id uuid not null,
  operation_id uuid not null,
  status text not null,
  provider_key text not null,
  provider_reference text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  account_id text not null,
  amount_minor bigint not null,
  refunded_minor bigint not null default 0,
  currency text not null,
  merchant_reference text,
  channel text not null,
  constraint payments_tenant_id_id_pk primary key (tenant_id, id),
  constraint payments_status check (status in ('pending', 'succeeded', 'failed', 'voided')),
  constraint payments_refunded check (refunded_minor between 0 and amount_minor)
);
create unique index if not exists payments_operation on payments.payments (tenant_id, operation_id);
-- The business key catches a new random key for the same act; a declined payment frees its reference.
create unique index if not exists payments_merchant_reference on payments.payments (tenant_id, account_id, merchant_reference)
  where merchant_reference is not null and status <> 'failed';

create table if not exists payments.refunds (
  tenant_id text not null,
  id uuid not null,
  operation_id uuid not null,
  status text not null,
  provider_key text not null,
  provider_reference text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  payment_id uuid not null,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  constraint refunds_tenant_id_id_pk primary key (tenant_id, id),
  constraint refunds_status check (status in ('pending', 'succeeded', 'failed'))
);
create unique index if not exists refunds_operation on payments.refunds (tenant_id, operation_id);
create index if not exists refunds_payment on payments.refunds (tenant_id, payment_id);

create table if not exists payments.voids (
  tenant_id text not null,
  id uuid not null,
  operation_id uuid not null,
  status text not null,
  provider_key text not null,
  provider_reference text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  payment_id uuid not null,
  constraint voids_tenant_id_id_pk primary key (tenant_id, id),
  constraint voids_status check (status in ('pending', 'succeeded', 'failed'))
);
create unique index if not exists voids_operation on payments.voids (tenant_id, operation_id);
-- A payment is voided once, whatever key asked for it.
create unique index if not exists voids_payment on payments.voids (tenant_id, payment_id) where status <> 'failed';
create index if not exists voids_of_payment on payments.voids (tenant_id, payment_id);

-- One row moves an amount from a debit to a credit account, so the ledger always balances. Unique by its cause.
create table if not exists payments.ledger_entries (
  tenant_id text not null,
  id uuid not null,
  entry_type text not null,
  source_id uuid not null,
  operation_id uuid not null,
  debit_account text not null,
  credit_account text not null,
  amount_minor bigint not null,
  currency text not null,
  posted_at timestamptz not null default now(),
  constraint ledger_entries_tenant_id_id_pk primary key (tenant_id, id)
);
create unique index if not exists ledger_entries_source on payments.ledger_entries (tenant_id, entry_type, source_id);
create index if not exists ledger_entries_operation on payments.ledger_entries (tenant_id, operation_id);
