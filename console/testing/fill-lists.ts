import type { Desk } from "./read-desk";

/** Rows of every list, all within one millisecond: ten of them share each microsecond, so only the tie-breaker tells those apart. */
export const LIST_ROWS = 300;

const MOMENT = "date_trunc('milliseconds', now() - interval '1 minute') + make_interval(secs => (n / 10) / 1000000.0)";
const ID = "('018f9b7e-0000-7000-8000-' || lpad(((n * 7919) % 1000003)::text, 12, '0'))::uuid";
const SERIES = `generate_series(1, ${String(LIST_ROWS)}) n`;

/** Fills each list of tenant acme with LIST_ROWS rows: for tests that page through all of them. */
export async function fillLists(desk: Desk): Promise<void> {
  await desk.rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, body_day, account_id, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
     select 'acme', 'payments.create', 'key-' || n, ${ID}, 'till-web', '\\x00', 1, '1', 'UNKNOWN_REQUIRES_RECOVERY', current_date, 'acc_1', 1000, 'EUR',
       ${MOMENT}, now(), now() + interval '1 day', now() + interval '30 days' from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at, unknown_since)
     select 'acme', ${ID}, 'payments.create', 'key-' || n, 1, ${MOMENT}, ${MOMENT} from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client, status, detail)
     select 'acme', ((${MOMENT}) at time zone 'utc')::date, ${ID}, ${ID}, 'payments.create', ${MOMENT}, 'conflict', 'conflict', 'till-web', 409,
       '{"differingFields": ["amount"]}' from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, state, next_attempt_at)
     select 'acme', ${ID}, 'payment', 'pay-' || n, 'payments', 'payment.succeeded', '{}', ${MOMENT},
       case when n % 3 = 0 then 'dead' else 'pending' end, now() from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.outbox_history (tenant_id, day, id, aggregate_type, aggregate_id, topic, type, payload, created_at, position, published_at)
     select 'acme', ((${MOMENT}) at time zone 'utc')::date, ${ID}, 'payment', 'pay-' || n, 'payments', 'payment.succeeded', '{}', ${MOMENT}, n, ${MOMENT} from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state)
     select 'acme', ${ID}, 'ledger', 'onceboard', 'msg-' || n, 'payment.succeeded', '{}', '\\x00', ${MOMENT}, 'processed' from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select 'acme', ${ID}, 'outbox', ${ID}, 'payments', 'payment.succeeded', 'f1', 'http.500', 'it failed', 12, ${MOMENT} from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_at, created_by)
     select 'acme', ${ID}, 'requeue_dead_letters', 'done', '{}', 'a test', 0, ${MOMENT}, 'op-1' from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id, previous_hash, hash)
     select 'acme', ${ID}, 1000000 + n, ${MOMENT}, 'operator', 'op-1', 'Mira Okafor', 'test.filled', 'operation', 'op-' || n, '\\x00', '\\x00' from ${SERIES}`,
  );
  await desk.rows(
    `insert into onceboard.retention_runs (tenant_id, id, at, actor, kind, rows, bytes)
     select 'acme', (${ID})::text, ${MOMENT}, 'op-1', 'bodies', 1, 1 from ${SERIES}`,
  );
  await desk.rows("analyze");
}
