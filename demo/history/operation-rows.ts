import type { SeedStatement } from "./statement";

/** Of the commands of a history. */
export const SEED_API_VERSION = "2026-09-01";

/** Keys, what is open, the business rows and the calls to the provider of one day. `$1` tenant. */
export const OPERATION_ROWS: readonly SeedStatement[] = [
  {
    table: "idempotency_requests",
    text: `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
  state, fence, attempts, response_status, response_schema_version, resource_type, resource_id, error_code, replay, body_day, body_purged_at,
  account_id, reference, amount_minor, currency, created_at, updated_at, completed_at, expires_at, purge_after)
select $1::text, operation, key, operation_id, case when operation like 'admin.%' then 'operator' else client end, coalesce(command_hash, body_hash), 1, '${SEED_API_VERSION}',
  case when expired then 'EXPIRED' else state end, fence, 1, case when kind <> 'settled' or state = 'FAILED_RETRYABLE' then null when state = 'FAILED_REPLAYABLE' then case when roll < 150 then 402 else 409 end
    when operation = 'payments.void' or operation like 'admin.%' then 200 else 201 end,
  case when kind = 'settled' then '1' end,
  case when state not in ('COMPLETED', 'EXPIRED') then null when operation = 'refunds.create' then 'refund' when operation = 'accounts.create' then 'account'
    when operation like 'admin.%' then 'operation' else 'payment' end,
  case when state in ('COMPLETED', 'EXPIRED') then case when operation = 'accounts.create' then 'acc_s' || n when operation = 'payments.void' then payment_id::text else effect_id::text end end,
  case when state = 'FAILED_REPLAYABLE' then case when roll < 150 then 'payment.insufficient_funds' else 'payment.duplicate_reference' end
    when state = 'FAILED_RETRYABLE' then 'dependency.unavailable' end,
  case when not kept and at > now() - interval '24 hours' then 'none' else 'stored' end, day, case when not kept and at <= now() - interval '24 hours' then at + make_interval(hours => body_hours) end,
  case when operation = 'accounts.create' then 'acc_s' || n when by_provider then account_id end, reference, amount_minor,
  case when amount_minor is not null then currency end, at, case when expired then at + interval '24 hours 20 seconds' when kind = 'settled' then done_at else at end,
  case when kind = 'settled' then done_at end, at + interval '24 hours', at + interval '90 days'
from seed_rows`,
  },
  {
    table: "idempotency_open",
    text: `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, stage, provider_key, opened_at,
  unknown_since, next_check_at, checks, last_finding)
select $1::text, operation_id, operation, key, case when kind = 'open' then 'api-seed' end, 1,
  case when stale then now() - interval '20 seconds' when kind = 'open' then now() + interval '10 minutes' end, 'PROVIDER_REQUEST_SENT',
  'provider_payment_' || effect_id, at, case when kind = 'unknown' then done_at end, case when kind = 'unknown' then 'infinity'::timestamptz end,
  case when kind = 'unknown' then 3 else 0 end, case when kind = 'unknown' then 'processing' end
from seed_rows where kind <> 'settled'`,
  },
  {
    // The mark of a command that was not kept: sealed ones need the deployment's keys.
    table: "idempotency_bodies",
    text: `insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, body, created_at)
select $1::text, day, operation_id, 'command', 1, '\\xff', at from seed_rows where not kept and (at > now() - interval '24 hours' or kind <> 'settled')`,
  },
  {
    table: "payments",
    text: `insert into payments.payments (tenant_id, id, operation_id, account_id, amount_minor, refunded_minor, currency, merchant_reference, channel,
  status, provider_key, provider_reference, created_at, updated_at)
select $1::text, effect_id, operation_id, account_id, amount_minor, case when slot in (8, 9) and kind = 'settled' then greatest(1, amount_minor / 3) else 0 end,
  currency, reference, case when client like 'till%' then 'pos' else 'web' end,
  case when kind <> 'settled' then 'pending' when state = 'FAILED_REPLAYABLE' then 'failed' when slot = 10 then 'voided' else 'succeeded' end,
  'provider_payment_' || effect_id, case when kind = 'settled' then 'ch_' || md5(n::text) end, at, done_at
from seed_rows where operation = 'payments.create' and state <> 'FAILED_RETRYABLE' and not (state = 'FAILED_REPLAYABLE' and roll >= 150)`,
  },
  {
    table: "refunds",
    text: `insert into payments.refunds (tenant_id, id, operation_id, payment_id, amount_minor, currency, reason, status, provider_key, provider_reference, created_at, updated_at)
select $1::text, effect_id, operation_id, payment_id, amount_minor, currency, 'damaged', 'succeeded', 'provider_refund_' || effect_id, 'rf_' || md5(n::text), at, done_at
from seed_rows where operation = 'refunds.create'`,
  },
  {
    table: "voids",
    text: `insert into payments.voids (tenant_id, id, operation_id, payment_id, status, provider_key, provider_reference, created_at, updated_at)
select $1::text, effect_id, operation_id, payment_id, 'succeeded', 'provider_void_' || effect_id, 'vo_' || md5(n::text), at, done_at
from seed_rows where operation = 'payments.void'`,
  },
  {
    table: "accounts",
    text: `insert into payments.accounts (tenant_id, id, operation_id, currency, default_currency, created_at, updated_at)
select $1::text, 'acc_s' || n, operation_id, currency, currency, at, at from seed_rows where operation = 'accounts.create' on conflict do nothing`,
  },
  {
    table: "provider_requests",
    text: `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, amount_minor, currency, outcome,
  provider_reference, detail, prepared_at, sent_at, answered_at)
select $1::text, pg_temp.seed_id(at, 'call' || n), operation_id,
  case operation when 'refunds.create' then 'provider_refund_' when 'payments.void' then 'provider_void_' else 'provider_payment_' end || effect_id, 'sandbox',
  case operation when 'refunds.create' then 'refund' when 'payments.void' then 'void' else 'charge' end, case when kind = 'settled' then 'answered' else 'sent' end, 1,
  amount_minor, currency, case when kind <> 'settled' then null when lost then 'indefinite' when state = 'FAILED_REPLAYABLE' then 'declined' when state = 'FAILED_RETRYABLE' then 'unavailable' else 'succeeded' end,
  case when state in ('COMPLETED', 'EXPIRED') and not lost then case operation when 'refunds.create' then 'rf_' when 'payments.void' then 'vo_' else 'ch_' end || md5(n::text) end,
  case when lost then 'timeout after the request was sent: timeout' when state = 'COMPLETED' then 'succeeded' end, at, at + interval '2 milliseconds',
  case when lost then at + make_interval(secs => latency_ms / 1000.0) when kind = 'settled' then done_at end
from seed_rows where by_provider and not (state = 'FAILED_REPLAYABLE' and roll >= 150)
union all
select $1::text, pg_temp.seed_id(at, 'look' || n), operation_id, 'provider_payment_' || effect_id, 'sandbox', 'lookup', 'answered', 1, amount_minor, currency, 'processing',
  null, 'processing', done_at, done_at, done_at from seed_rows where kind = 'unknown'`,
  },
  {
    table: "ledger_entries",
    text: `insert into payments.ledger_entries (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency, posted_at)
select $1::text, pg_temp.seed_id(done_at, 'entry' || n), e.entry, effect_id, operation_id,
  case when e.entry = 'payment' then 'customer:' || account_id else 'merchant:' || $1::text end, case when e.entry = 'payment' then 'merchant:' || $1::text else 'customer:' || account_id end,
  amount_minor, currency, posted_at
from seed_rows cross join lateral (select case operation when 'refunds.create' then 'refund' when 'payments.void' then 'void' else 'payment' end as entry) e
where by_provider and state in ('COMPLETED', 'EXPIRED') and not pending and not dead_outbox and not dead_inbox`,
  },
];
