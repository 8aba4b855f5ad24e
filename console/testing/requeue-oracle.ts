/** Parts of what sentences about messages mean, in SQL; `x` is the row of the message, `c` what the sentence captured. */
export const ENDPOINT = `(select e.* from onceboard.webhook_endpoints e where e.tenant_id = $1 and 'webhook:' || e.id::text = $4)`;
export const PAUSED = `exists (select from onceboard.topics t where t.tenant_id = $1 and t.topic = $4 and t.paused_at is not null)`;
export const DISABLED = `exists (select from ${ENDPOINT} e where e.disabled_at is not null)`;
export const HELD = `(select i.* from onceboard.inbox_messages i where i.tenant_id = $1 and i.message_id = $2::text and i.source = 'onceboard')`;
export const HEAD = `(select b.state from onceboard.outbox_messages m join onceboard.outbox_messages b on b.tenant_id = m.tenant_id
    and b.aggregate_type = m.aggregate_type and b.aggregate_id = m.aggregate_id and b.position < m.position and b.state <> 'discarded'
  where m.tenant_id = $1 and m.id = $2 order by b.position limit 1)`;
const WAITS = "(x.state in ('pending', 'recorded') and not x.leased)";
export const TEXT = (time: string): string => `to_char(${time} at time zone 'utc', 'FMDD Mon YYYY, HH24:MI:SS')`;
export const T = String.raw`(\d+ \w+ \d{4}, \d\d:\d\d:\d\d) UTC`;
export const DELETED = `($4 like 'webhook:%' and not exists (select from ${ENDPOINT} e))`;
const FOREIGN = `($4 like 'webhook:%' or $4 = 'mail' or exists (select from onceboard.topics t where t.tenant_id = $1 and t.topic = $4 and t.destination is not null))`;
const UNKNOWN = `exists (select from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = x.operation_id and r.state = 'UNKNOWN_REQUIRES_RECOVERY')`;
/** What a world writes where another payload is held. */
const OTHER = `exists (select from ${HELD} h where h.payload_hash = sha256('another'))`;
const OURS = `x.state = 'dead' and $3 = 'outbox' and not ${FOREIGN}`;
const TOOK = `exists (select from ${HELD} h where h.consumer = c[1] and h.state = c[2] and not ${OTHER}
  and ${TEXT("case c[2] when 'processed' then h.processed_at else h.received_at end")} = c[3])`;
const WAITING = `${WAITS} and $3 = 'outbox'`;
const FREE = `${WAITING} and not ${PAUSED} and not ${DISABLED} and not ${DELETED}`;
/** Codes of failures in which nothing could be sent at all, by what is said of them. */
const OUTAGES = `(values ('webhook.endpoint_disabled', 'its endpoint was disabled'), ('webhook.endpoint_down', 'its endpoint was down'),
  ('transport.not_configured', 'no relay had its transport'), ('delivery.bad_destination', 'its destination could not be used'),
  ('delivery.broker_unavailable', 'its destination was not reachable'), ('mail.no_file', 'its destination was not reachable'),
  ('mail.server_unavailable', 'its destination was not reachable'), ('alert.destination_unavailable', 'its destination was not reachable')) o (code, said)`;
export const CORRECTED = `(select d.corrected_by::text from onceboard.dead_letters d where d.tenant_id = $1 and d.message_row_id = $2 and d.corrected_by is not null)`;
const SAFE_FOREIGN = `x.state = 'dead' and $3 = 'outbox' and ${FOREIGN} and not ${UNKNOWN}`;

/** What a requeue or a discard of a message is answered, and what stands beside it. */
export const REQUEUE_ORACLE: readonly (readonly [sentence: string, sql: string])[] = [
  // Of a dead one.
  [String.raw`^The outcome of its operation is unknown: settle that first\.$`, `x.state = 'dead' and ${UNKNOWN}`],
  [String.raw`^Safe\. No consumer has this id\.`, `${OURS} and not ${UNKNOWN} and not exists (select from ${HELD} h)`],
  [
    String.raw`^Safe\. Delivery unconfirmed; same id, so the receiver can deduplicate\.`,
    `${SAFE_FOREIGN} and $4 <> 'mail'`,
  ],
  [
    String.raw`^Safe for money\. Delivery unconfirmed; if the mail arrived, it arrives again\.`,
    `${SAFE_FOREIGN} and $4 = 'mail'`,
  ],
  [String.raw`^Safe.*(?:id|deduplicate|again)\.$`, `not ${PAUSED}`],
  [String.raw`Its topic is paused: it would wait until the topic is resumed\.$`, `${PAUSED} and x.state = 'dead'`],
  [String.raw`^Safe\. The handler adds only what is missing\.`, `x.state = 'dead' and $3 = 'inbox' and not ${UNKNOWN}`],
  [
    String.raw`(?:adds only what is missing|will be handled automatically)\.$`,
    "x.mismatches = 0 and x.unfinished <= 1",
  ],
  [String.raw`Its id also came with another payload; only the first is handled\.`, "x.mismatches > 0"],
  [String.raw`(\d+) attempts never ended: it is handled alone\.$`, "x.unfinished > 1 and x.unfinished = c[1]::int"],
  [
    String.raw`^(\S+) (processed|recorded) it on ${T} and skips another copy\.$`,
    `${OURS} and not ${UNKNOWN} and ${TOOK}`,
  ],
  [
    String.raw`^(\S+) holds another payload under this id\.$`,
    `${OURS} and ${OTHER} and exists (select from ${HELD} h where h.consumer = c[1])`,
  ],
  [String.raw`^(\S+) (processed|recorded) it on ${T}: it was delivered\.`, `${OURS} and ${TOOK}`],
  [String.raw`Requeue closes it as that\.$`, `not ${UNKNOWN}`],
  [String.raw`Requeue closes it as that once the outcome of its operation is known\.$`, UNKNOWN],
  // That nothing waits behind it then is held by a discard, in console/actions/discard.db.test.ts.
  [
    String.raw`^It is no longer sent, and nothing waits behind it any more\.$`,
    `x.state = 'dead' and $3 = 'outbox' and (${FOREIGN} or not exists (select from ${HELD} h))`,
  ],
  [
    String.raw`^(\S+) no longer handles it, nor a later arrival of its id while its row is kept\.$`,
    "x.state = 'dead' and $3 = 'inbox' and c[1] = $4",
  ],
  // Of one that waits.
  [String.raw`^Its topic is paused: it waits until the topic is resumed\.$`, `${PAUSED} and ${WAITS}`],
  [
    String.raw`^Its endpoint was deleted: there is nowhere to send it\.$`,
    `(x.state = 'dead' or ${WAITING}) and ${DELETED}`,
  ],
  [String.raw`^Its endpoint is disabled: it waits until the endpoint is enabled\.$`, `${WAITS} and ${DISABLED}`],
  [
    String.raw`^Waits behind a dead message, until a person requeues or discards that\.$`,
    `${WAITS} and ${HEAD} = 'dead'`,
  ],
  [String.raw`^Queued behind an older message; will be sent after it\.$`, `${FREE} and ${HEAD} = 'pending'`],
  [
    String.raw`^Waiting: at the last try (.+)\. No attempt was counted\.$`,
    `${FREE} and ${HEAD} is null and exists (select from ${OUTAGES} where o.code = x.last_error_code and o.said = c[1])`,
  ],
  [
    String.raw`^Queued; will be sent automatically\.$`,
    `${FREE} and ${HEAD} is null and not exists (select from ${OUTAGES} where o.code = x.last_error_code)`,
  ],
  [String.raw`^Queued; will be handled automatically\.`, `${WAITS} and $3 = 'inbox'`],
  [
    String.raw`^A (?:relay|consumer) holds it until ${T}\.$`,
    `x.leased and x.state in ('pending', 'recorded') and ${TEXT("x.locked_until")} = c[1]`,
  ],
  // Of one that has come to its end.
  [
    String.raw`^It was discarded: it is no longer (?:sent|handled)\.$`,
    `x.state = 'discarded' and ${CORRECTED} is null`,
  ],
  [String.raw`^It was corrected: (\S+) took its place\.$`, `x.state = 'discarded' and ${CORRECTED} = c[1]`],
  [String.raw`^Corrected\.$`, `x.state = 'discarded' and ${CORRECTED} is not null`],
  [
    String.raw`^It was published on ${T}\.$`,
    `exists (select from onceboard.outbox_history h where h.tenant_id = $1 and h.id = $2 and ${TEXT("h.published_at")} = c[1])`,
  ],
  [String.raw`^Published\.$`, "x.state = 'published'"],
  [
    String.raw`^(\S+) processed it on ${T}(?:: (.+))?\. It is not handled again\.$`,
    `exists (select from onceboard.inbox_messages i where i.tenant_id = $1 and i.id = $2 and i.consumer = c[1] and i.state = 'processed'
       and ${TEXT("i.processed_at")} = c[2] and nullif(i.result, 'ok') is not distinct from c[3])`,
  ],
  [
    String.raw`^Handled(?:: (.+))?\.$`,
    "exists (select from onceboard.inbox_messages i where i.tenant_id = $1 and i.id = $2 and i.state = 'processed' and nullif(i.result, 'ok') is not distinct from c[1])",
  ],
];
