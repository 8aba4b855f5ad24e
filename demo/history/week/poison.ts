import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { errorFingerprint } from "@/domain/messages/error-fingerprint";
import { outboxBody } from "@/engine/outbox/envelope";
import type { BookEntry, WeekPeople } from "./audit-book";
import { minutesAfter, type Calendar } from "./calendar";
import { ATTEMPTS } from "./rows";

const TYPE = "account.default_currency_changed";
const TOPIC = "accounts";
const CONSUMER = "account-notices";
const ERROR = { code: "delivery.timeout", text: "The destination did not answer in time" } as const;
/** Minutes after the first at which the holder changed the currency again. */
const CHANGES = [0, 14, 26] as const;
const CURRENCIES = ["USD", "GBP", "EUR"] as const;
const REASON = "The notices have it already; let the account go on";

/** The account that the messages are about: opened in this week, before its first change. */
const ACCOUNT = `update payments.accounts a set version = 1 + ${String(CHANGES.length)}, default_currency = 'EUR', updated_at = $3
where a.tenant_id = $1 and a.id = (select c.id from payments.accounts c where c.tenant_id = $1 and c.created_at < $2 and c.id like 'acc\\_s%' order by c.created_at desc limit 1) returning a.id`;
const PUBLISHED = `insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, attempts_started, attempts_finished,
  last_error, last_error_code, day, position, published_at, published_by, transport)
values ($1, $2, 'account', $3, '${TOPIC}', '${TYPE}', $4, $5, $6, $7, $7, $8, $9, ($11::timestamptz at time zone 'utc')::date, $10, $11, $12, $13)`;
const ARRIVED = `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, headers, state, received_at, processed_at, result, duplicates,
  attempts_started, attempts_finished)
values ($1, $2, '${CONSUMER}', 'onceboard', $3, '${TYPE}', $4, $5, jsonb_build_object('webhook-id', $3::text), 'processed', $6::timestamptz, $6::timestamptz + interval '240 milliseconds', 'kept, no address', $7, 1, 1)`;
const ARRIVALS = `insert into onceboard.inbox_arrivals (tenant_id, day, id, inbox_id, at, outcome, payload_hash, request_id)
select $1, (t.at at time zone 'utc')::date, gen_random_uuid(), $2, t.at, case when k = 1 then 'recorded' else 'duplicate' end, $3, gen_random_uuid()::text
from unnest($4::double precision[]) with ordinality o(seconds, k) cross join lateral (select $5::timestamptz + make_interval(secs => o.seconds) as at) t`;
const TRIED = `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome, error_code, error, error_fingerprint)
select $1, (t.at at time zone 'utc')::date, case when k = cardinality($3::double precision[]) then $5::uuid else gen_random_uuid() end, 'outbox', $2, '${TOPIC}', k, 'worker-1', k, t.at,
  case when k = cardinality($3) then 'dead' else 'failed' end, '${ERROR.code}', '${ERROR.text}', $6
from unnest($3::double precision[]) with ordinality o(seconds, k) cross join lateral (select $4::timestamptz + make_interval(secs => o.seconds + 10) as at) t`;
const DIED = `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settled_by, settlement, reason)
values ($1, $2, 'outbox', $3, '${TOPIC}', '${TYPE}', $4, '${ERROR.code}', '${ERROR.text}', ${String(ATTEMPTS.length)}, $5, $6, $7, 'closed', '${REASON}')`;

/**
 * One account's messages go in order. The answer to the first was lost each time, so it died although its consumer had it, and
 * the two behind it waited until a person closed it as delivered.
 */
export async function poisonStory(
  tx: Queryable,
  tenant: string,
  { operator }: WeekPeople,
  { poison }: Calendar,
): Promise<BookEntry[]> {
  const made = CHANGES.map((minutes) => minutesAfter(poison.from, minutes));
  const { rows } = await tx.query<{ id: string }>({ text: ACCOUNT, values: [tenant, poison.from, made.at(-1)] });
  const account = rows[0]?.id;
  if (account === undefined) return [];
  const story: BookEntry[] = [];
  for (const [index, createdAt] of made.entries()) {
    const message = messageOf(tenant, account, index, createdAt);
    const first = index === 0;
    const published = new Date(poison.to.getTime() + index * 1_000);
    const attempts = first ? ATTEMPTS.length : 1;
    await tx.query({
      text: PUBLISHED,
      values: [
        ...[
          tenant,
          message.id,
          account,
          JSON.stringify(message.payload),
          JSON.stringify(message.headers),
          createdAt,
          attempts,
        ],
        ...(first ? [ERROR.text, ERROR.code] : [null, null]),
        ...[message.position.toString(), published, first ? "operator" : "worker-1", first ? null : "http"],
      ],
    });
    const received = first ? new Date(createdAt.getTime() + 300) : new Date(published.getTime() + 50);
    const inboxId = await arrive(tx, tenant, message, received, first ? ATTEMPTS : [0]);
    if (first)
      story.push(
        await died(tx, tenant, operator, { id: message.id, createdAt, closedAt: published, inboxId, received }),
      );
  }
  return story;
}

interface Message {
  readonly id: string;
  readonly payload: object;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly position: bigint;
  readonly account: string;
}

function messageOf(tenant: string, account: string, index: number, createdAt: Date): Message {
  const id = uuidv7({ msecs: createdAt.getTime() });
  // In the order in which jsonb keeps members: so they are sent, and hashed.
  const data = { version: index + 2, currency: "EUR", accountId: account, defaultCurrency: CURRENCIES[index] };
  const payload = { id, type: TYPE, tenant, occurredAt: createdAt.toISOString(), data };
  const headers = { envelope: "cloudevents/1.0", "request-id": uuidv7({ msecs: createdAt.getTime() }) };
  return { id, payload, headers, createdAt, position: BigInt(-1_000_000_000 + index), account };
}

/** @returns the row of the inbox */
async function arrive(
  tx: Queryable,
  tenant: string,
  message: Message,
  received: Date,
  seconds: readonly number[],
): Promise<string> {
  const { id, payload, headers, createdAt: created_at, position, account: aggregate_id } = message;
  const body = outboxBody(tenant, {
    id,
    type: TYPE,
    aggregate_type: "account",
    aggregate_id,
    payload,
    headers,
    created_at,
    position,
  });
  const hash = createHash("sha256").update(body).digest();
  const inboxId = uuidv7({ msecs: received.getTime() });
  await tx.query({
    text: ARRIVED,
    values: [tenant, inboxId, id, JSON.stringify(payload), hash, received, seconds.length - 1],
  });
  await tx.query({ text: ARRIVALS, values: [tenant, inboxId, hash, seconds, received] });
  return inboxId;
}

interface Death {
  readonly id: string;
  readonly createdAt: Date;
  readonly closedAt: Date;
  readonly inboxId: string;
  readonly received: Date;
}

async function died(
  tx: Queryable,
  tenant: string,
  by: WeekPeople["operator"],
  { id, createdAt, closedAt, inboxId, received }: Death,
): Promise<BookEntry> {
  const deadAt = new Date(createdAt.getTime() + ((ATTEMPTS.at(-1) ?? 0) + 10) * 1_000);
  const letter = uuidv7({ msecs: deadAt.getTime() });
  const fingerprint = errorFingerprint(TOPIC, ERROR.code, ERROR.text);
  await tx.query({ text: TRIED, values: [tenant, id, ATTEMPTS, createdAt, letter, fingerprint] });
  await tx.query({ text: DIED, values: [tenant, letter, id, fingerprint, deadAt, closedAt, by.name] });
  const handled = received.toISOString();
  const why = `${CONSUMER} processed it at ${handled.slice(0, 10)} ${handled.slice(11, 19)} UTC and skips another copy.`;
  return {
    ...{ at: closedAt, by, action: "outbox.requeue", subject: { type: "outbox", id }, reason: REASON },
    before: { state: "dead", attempts: ATTEMPTS.length, errorCode: ERROR.code, topic: TOPIC },
    after: { state: "published", sent: false, why },
    evidence: [{ inboxId, consumer: CONSUMER, state: "processed" }],
  };
}
