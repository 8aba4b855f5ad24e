import { errorFingerprint } from "@/domain/messages/error-fingerprint";
import type { SeedStatement } from "../statement";
import { ATTEMPTS } from "./rows";

export const OUTAGE_TOPIC = "payments";
export const OUTAGE_ERROR = { code: "delivery.http_503", text: "The destination answered 503" } as const;
export const OUTAGE_FINGERPRINT = errorFingerprint(OUTAGE_TOPIC, OUTAGE_ERROR.code, OUTAGE_ERROR.text);
/** Of the plan that requeued what died; the dead letters name it too. */
export const REQUEUE_REASON = "The ledger service is back: send what it missed";

const TYPE = `case operation when 'refunds.create' then 'refund.succeeded' when 'payments.void' then 'payment.voided' else 'payment.succeeded' end`;
const ENDED = `(done_at + make_interval(secs => (array[${ATTEMPTS.join(", ")}]::double precision[])[k] + 0.05))`;

/** Attempts that failed while the receiver was away, and what died of it; a plan requeued all of them. `$1` tenant. */
export const OUTAGE_ROWS: readonly SeedStatement[] = [
  {
    table: "message_attempts",
    text: `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome, error_code, error, error_fingerprint)
select $1::text, day, pg_temp.seed_id(${ENDED}, 'attempt' || n || '-' || k), 'outbox', message_id, '${OUTAGE_TOPIC}', k, 'worker-1', k, ${ENDED},
  case when k = ${String(ATTEMPTS.length)} then 'dead' else 'failed' end, '${OUTAGE_ERROR.code}', '${OUTAGE_ERROR.text}', '${OUTAGE_FINGERPRINT}'
from seed_rows cross join lateral generate_series(1, failures) k where failures > 0`,
  },
  {
    table: "dead_letters",
    text: `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settled_by, settlement, reason)
select $1::text, pg_temp.seed_id(${ENDED}, 'attempt' || n || '-' || k), 'outbox', message_id, '${OUTAGE_TOPIC}', ${TYPE}, operation_id, '${OUTAGE_FINGERPRINT}', '${OUTAGE_ERROR.code}', '${OUTAGE_ERROR.text}',
  k, ${ENDED}, published_at - interval '1 second', 'Max', 'requeued', '${REQUEUE_REASON}'
from seed_rows cross join lateral (select ${String(ATTEMPTS.length)} as k) t where died`,
  },
];
