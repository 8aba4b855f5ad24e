import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { errorFingerprint } from "@/domain/messages/error-fingerprint";
import type { BodyKeyring } from "@/engine/bodies/body-keyring";
import { sealEndpointSecret } from "@/engine/outbox/webhooks/endpoint-secret";
import { webhookTopic } from "@/engine/outbox/webhooks/topic";
import { AGGREGATE, AGGREGATE_ID, LAST, PAYLOAD, RECEIVED, SENT, TYPE } from "../message-rows";
import type { SeedStatement } from "../statement";
import type { BookEntry, Person } from "./audit-book";
import { minutesAfter, type Calendar } from "./calendar";
import { instant } from "./rows";

/** A merchant's endpoint that was added in the week. */
export interface HistoryEndpoint {
  readonly url: string;
  readonly secret: string;
  readonly description: string;
}

/** The same with its name and its first instant. */
export interface AddedEndpoint extends HistoryEndpoint {
  readonly id: string;
  readonly since: Date;
}

/** An endpoint gets what happens after it was added: this bounds its messages. */
const DAYS = 3;
/** After the endpoint was back, the canary that found it so: they are fifteen minutes apart by then. */
const FOUND_AFTER_MINUTES = 6;
const DOWN = { code: "webhook.unreachable", text: "The endpoint could not be reached: ECONNREFUSED" };
const BUSY = { code: "webhook.http_503", text: "The endpoint answered 503" };
/** The second attempt comes five seconds after the first. */
const AGAIN_SECONDS = 5;

export function addedEndpoint(endpoint: HistoryEndpoint, now: Date): AddedEndpoint {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  return { ...endpoint, id: uuidv7({ msecs: since.getTime() }), since };
}

/** When the consumer had handed the event on. */
export const HANDED_ON = `least(${LAST}, ${RECEIVED} + interval '350 milliseconds')`;

/** What an endpoint was sent of the events of one day: with the messages that waited for it while it was away. `$1` tenant. */
export function webhookRows({ id, since }: AddedEndpoint, { away }: Calendar): readonly SeedStatement[] {
  const topic = webhookTopic(id);
  const back = instant(minutesAfter(away.to, FOUND_AFTER_MINUTES));
  // Five failures in a row open the circuit; what comes behind them spends no attempt.
  const HOOKS = `(select *, case when is_away then case waited when 1 then 2 when 2 then 2 when 3 then 1 else 0 end when is_busy then 1 else 0 end as failed,
    least(${LAST}, case when is_away then ${back} + waited * interval '20 milliseconds' when is_busy then handed_on + interval '5.2 seconds' else handed_on + interval '140 milliseconds' end) as taken_at,
    pg_temp.seed_id(handed_on, 'hook' || n) as hook_id, pg_temp.seed_id(handed_on, 'hook-message' || n) as hook_message_id, ${AGGREGATE} || '/' || ${AGGREGATE_ID} as subject
  from (select *, not is_away and roll % 45 = 7 as is_busy, row_number() over (partition by is_away order by handed_on, n) as waited
    from (select *, ${HANDED_ON} as handed_on, ${HANDED_ON} >= ${instant(away.from)} and ${HANDED_ON} < ${back} as is_away from seed_rows where ${SENT}) s
    where handed_on >= ${instant(since)}) w) h`;
  const error = (part: "code" | "text"): string =>
    `case when is_away and failed > 0 then '${DOWN[part]}' when is_away then '${part === "code" ? "webhook.endpoint_down" : `The endpoint is down: ${DOWN.text}`}' when is_busy then '${BUSY[part]}' end`;
  const failure = (part: (one: typeof DOWN) => string): string =>
    `case when is_away then '${part(DOWN)}' else '${part(BUSY)}' end`;
  return [
    {
      table: "notifications",
      text: `insert into onceboard.notifications (tenant_id, id, notification_key, operation_id, kind, detail, state, attempts, created_at, sent_at, outbox_id)
select $1::text, hook_id, 'webhook_${id}_' || ${TYPE} || '_' || effect_id, operation_id, 'webhook', jsonb_build_object('endpointId', '${id}', 'type', ${TYPE}, 'subject', subject),
  'sent', failed + 1, handed_on, taken_at, hook_message_id from ${HOOKS}`,
    },
    {
      table: "outbox_history",
      text: `insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, attempts_started, attempts_finished,
  last_error, last_error_code, day, position, published_at, published_by, transport)
select $1::text, hook_message_id, operation_id, '${topic}', subject, '${topic}', ${TYPE}, (${PAYLOAD}) - 'id' || jsonb_build_object('eventid', message_id, 'subject', subject),
  jsonb_build_object('envelope', 'cloudevents/1.0', 'notification', true, 'request-id', md5('request' || n)::uuid), handed_on, failed + 1, failed + 1,
  ${error("text")}, ${error("code")}, day, -3000000000 - n, taken_at, 'worker-1', 'http' from ${HOOKS}`,
    },
    {
      table: "message_attempts",
      text: `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome, error_code, error, error_fingerprint)
select $1::text, day, pg_temp.seed_id(t.ended, 'hook-attempt' || n || '-' || k), 'outbox', hook_message_id, '${topic}', k, 'worker-1', k, t.ended, 'failed',
  ${failure(({ code }) => code)}, ${failure(({ text }) => text)}, ${failure(({ code, text }) => errorFingerprint(topic, code, text))}
from ${HOOKS} cross join lateral generate_series(1, failed) k
cross join lateral (select least(${LAST}, handed_on + make_interval(secs => 0.1 + ${String(AGAIN_SECONDS)} * (k - 1))) as ended) t`,
    },
  ];
}

/** Adds the endpoint as it was added then. @returns what its admin did */
export async function writeEndpoint(
  tx: Queryable,
  tenantId: string,
  by: Person,
  { endpoint, keyring }: { readonly endpoint: AddedEndpoint; readonly keyring: BodyKeyring },
): Promise<BookEntry> {
  const { id: endpointId, url, description, since: at } = endpoint;
  const secretId = uuidv7({ msecs: at.getTime() });
  const sealed = sealEndpointSecret(keyring, { tenantId, endpointId, secretId }, endpoint.secret);
  await tx.query({
    text: `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, description, created_at, created_by) values ($1, $2, $3, '{}', $4, $5, $6)`,
    values: [tenantId, endpointId, url, description, at, by.name],
  });
  await tx.query({
    text: `insert into onceboard.webhook_secrets (tenant_id, endpoint_id, secret_id, secret, created_at) values ($1, $2, $3, $4, $5)`,
    values: [tenantId, endpointId, secretId, sealed, at],
  });
  return {
    ...{ at, by, action: "webhook_endpoints.create", subject: { type: "webhook_endpoint", id: endpointId } },
    ...{ reason: "", before: {}, after: { id: endpointId, url, types: [], description } },
  };
}
