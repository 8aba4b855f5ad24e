import type { Database } from "@/db/client";
import { inTransaction } from "@/db/transaction";

/** Its rows are written by SQL: no traffic makes so much trouble in a minute. */
export const TROUBLE_TENANT = "zz-trouble";
export const UNKNOWN_COUNT = 300;
const DEAD_MESSAGES = 10_000;
const PLACES = 60;
const CONFLICTS = 2_000;
/** Names without a place to break, as long as a client may make them. */
const NAME_CHARS = 200;
/** Minor units, 15 digits. */
const AMOUNT_MINOR = "999999999999999";

const LONG = (name: string): string => `rpad(${name}, ${String(NAME_CHARS)}, 'x')`;
/** Every fourth name is long: beside short ones it shows what a column does. */
const NAME = (prefix: string, n: string): string =>
  `case when ${n} % 4 = 0 then ${LONG(`'${prefix}-' || ${n} || '-'`)} else '${prefix}-' || ${n} end`;
const ID = (salt: string, at: string): string =>
  `overlay(overlay(overlay(md5(${salt}) placing lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') from 1) placing '7' from 13) placing '8' from 17)::uuid`;
const CLIENT = NAME("till", "(1 + n % 40)");
const PLACE = (prefix: string): string => NAME(prefix, `(n % ${String(PLACES)})`);
const CODE = "(array['http.503', 'http.timeout', 'http.400', 'payload.invalid', 'ledger.closed'])[1 + n % 5]";
const ERROR = `case when n % 3 = 0 then ${LONG("'The receiver did not take it: '")} else 'The receiver did not take it' end`;
const DIED = "now() - make_interval(mins => n / 5)";
const DEAD = `generate_series(1, ${String(DEAD_MESSAGES / 2)}) n`;

const STATEMENTS = [
  `insert into onceboard.api_clients (tenant_id, id, name, scopes)
     select $1::text, 'c' || n, ${NAME("till", "n")}, '{payments}' from generate_series(1, 40) n`,
  `create temp table unknown_rows on commit drop as
     select n, at, ${ID("'unknown' || n", "at")} as id, ${NAME("cart", "n")} as key, ${ID("'payment' || n", "at")} as payment
       from (select n, now() - make_interval(mins => n) as at from generate_series(1, ${String(UNKNOWN_COUNT)}) n) numbered`,
  `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, fence, attempts, replay, body_day, account_id, reference, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
     select $1::text, 'payments.create', key, id, ${CLIENT}, '\\x00', 1, '2026-09-01', 'UNKNOWN_REQUIRES_RECOVERY', 1, 1, 'stored',
       (at at time zone 'utc')::date, ${NAME("acc", "n")}, ${NAME("order", "n")}, case when n % 3 = 0 then ${AMOUNT_MINOR} else 1250 + n end,
       (array['EUR', 'USD', 'GBP', 'JPY'])[1 + n % 4], at, at, at + interval '24 hours', at + interval '90 days' from unknown_rows`,
  `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, stage, provider_key, opened_at, unknown_since, next_check_at,
       checks, last_finding)
     select $1::text, id, 'payments.create', key, 1, 'PROVIDER_REQUEST_SENT', 'trouble_' || payment, at, at, 'infinity', 3,
       case when n % 5 = 0 then ${LONG("'error: '")} else 'processing' end from unknown_rows`,
  `insert into payments.payments (tenant_id, id, operation_id, account_id, amount_minor, currency, merchant_reference, channel, status, provider_key)
     select $1::text, payment, id, ${NAME("acc", "n")}, case when n % 3 = 0 then ${AMOUNT_MINOR} else 1250 + n end,
       (array['EUR', 'USD', 'GBP', 'JPY'])[1 + n % 4], ${NAME("order", "n")}, 'web', 'pending', 'trouble_' || payment from unknown_rows`,
  `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, prepared_at, sent_at)
     select $1::text, ${ID("'call' || n", "at")}, id, 'trouble_' || payment, 'sandbox', 'charge', 'sent', 1, at, at from unknown_rows`,
  `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, client, request_id, status, code, detail)
     select $1::text, (at at time zone 'utc')::date, ${ID("'conflict' || n || '-' || k", "at")}, id, 'payments.create', at, 'conflict', 'conflict', ${CLIENT},
       'r' || n || k, 409, 'idempotency.payload_mismatch', jsonb_build_object('differingFields', array['amount', ${LONG("'metadata.'")}])
     from unknown_rows cross join generate_series(1, ${String(Math.ceil(CONFLICTS / UNKNOWN_COUNT))}) k`,
  `create temp table dead_rows on commit drop as
     select n, ${DIED} as at, ${ID("'out' || n", DIED)} as out_id, ${ID("'in' || n", DIED)} as in_id, ${PLACE("topic")} as topic,
       ${PLACE("consumer")} as consumer, ${CODE} as code, ${ERROR} as error from ${DEAD}`,
  `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, attempts_started,
       attempts_finished, last_error, last_error_code, state, next_attempt_at)
     select $1::text, out_id, 'payment', ${NAME("payment", "n")}, topic, 'payment.succeeded', '{"data": {}}', '{}', at - interval '6 minutes', 8, 8, error,
       code, case when n % 5 = 0 then 'pending' else 'dead' end, 'infinity' from dead_rows`,
  `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, headers, state, received_at,
       attempts_started, attempts_finished)
     select $1::text, in_id, consumer, ${NAME("source", "n")}, 'm' || n, 'payment.succeeded', '{"data": {}}', '\\x00', '{}', 'dead', at - interval '6 minutes', 5, 5
     from dead_rows`,
  `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1::text, ${ID("'dead' || side || n", "at")}, side, case side when 'outbox' then out_id else in_id end, case side when 'outbox' then topic else consumer end,
       'payment.succeeded', side || ':' || code || ':' || n % 50, code, error, 8, at
     from dead_rows cross join unnest(array['outbox', 'inbox']) side where side = 'inbox' or n % 5 <> 0`,
] as const;

/** Writes it all in one transaction. @param db the owner's */
export async function writeTrouble(db: Database): Promise<void> {
  const values = [TROUBLE_TENANT];
  await inTransaction(db, async (tx) => {
    await tx.query({ text: "insert into onceboard.tenants (id, name) values ($1, $1) on conflict do nothing", values });
    for (const text of STATEMENTS) await tx.query({ text, values: text.includes("$1") ? values : [] });
  });
  await db.pool.query({ text: "analyze" });
}

const TABLES = [
  "onceboard.dead_letters",
  "onceboard.inbox_messages",
  "onceboard.outbox_messages",
  "onceboard.idempotency_events",
  "onceboard.provider_requests",
  "payments.payments",
  "onceboard.idempotency_open",
  "onceboard.idempotency_requests",
  "onceboard.api_clients",
] as const;

/** Leaves the others' database as it was. */
export async function removeTrouble(db: Database): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const table of TABLES)
      await tx.query({ text: `delete from ${table} where tenant_id = $1`, values: [TROUBLE_TENANT] });
  });
}
