import { PAYLOAD, RECEIVED, SENT, SENT_HASH, TYPE } from "../message-rows";
import type { SeedStatement } from "../statement";
import { instant } from "./rows";
import { HANDED_ON } from "./webhook-rows";

/** Of receipts: one account in twenty has an address, as in the month. */
const ADDRESSED = "slot = 5";
const MONEY = "operation in ('payments.create', 'refunds.create')";
/** Who takes our own events beside the ledger, with what they made of each. */
const consumers = (endpointSince: Date | undefined): string => `(select 'webhooks' as consumer,
    ${endpointSince === undefined ? "'nobody asked'" : `case when ${HANDED_ON} >= ${instant(endpointSince)} then '1 webhook queued' else 'nobody asked' end`} as result
  union all select 'receipts', case when operation = 'payments.create' and ${ADDRESSED} then 'ok' else 'kept, no address' end where ${MONEY}) c`;
const ID = `pg_temp.seed_id(${RECEIVED}, c.consumer || n)`;

/** What the other consumers of the product made of the events of one day. `$1` tenant. @param endpointSince left out: nobody had one */
export const consumerRows = (endpointSince: Date | undefined): readonly SeedStatement[] => [
  {
    table: "inbox_messages",
    text: `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, operation_id, payload, payload_hash, headers, state, received_at, processed_at, result,
  attempts_started, attempts_finished)
select $1::text, ${ID}, c.consumer, 'onceboard', message_id::text, ${TYPE}, operation_id, ${PAYLOAD}, ${SENT_HASH}, jsonb_build_object('webhook-id', message_id), 'processed', ${RECEIVED},
  ${RECEIVED} + interval '350 milliseconds', c.result, 1, 1
from seed_rows cross join lateral ${consumers(endpointSince)} where ${SENT}`,
  },
  {
    table: "inbox_arrivals",
    text: `insert into onceboard.inbox_arrivals (tenant_id, day, id, inbox_id, at, outcome, payload_hash, request_id)
select $1::text, day, pg_temp.seed_id(${RECEIVED}, 'arrival-' || c.consumer || n), ${ID}, ${RECEIVED}, 'recorded', ${SENT_HASH}, md5('arrival' || n || '-1')::uuid::text
from seed_rows cross join lateral ${consumers(undefined)} where ${SENT}`,
  },
  {
    table: "notifications",
    text: `insert into onceboard.notifications (tenant_id, id, notification_key, operation_id, kind, detail, state, attempts, created_at)
select $1::text, pg_temp.seed_id(${RECEIVED}, 'kept' || n), case operation when 'refunds.create' then 'receipt_refund_' else 'receipt_payment_' end || effect_id, operation_id, 'receipt',
  jsonb_build_object('accountId', account_id, 'effect', case operation when 'refunds.create' then 'refund' else 'payment' end, 'sourceId', effect_id::text,
    'amount', (amount_minor / 100.0)::numeric(14, 2)::text, 'currency', currency), 'skipped', 0, ${RECEIVED}
from seed_rows where ${SENT} and ${MONEY} and not (operation = 'payments.create' and ${ADDRESSED})`,
  },
];
