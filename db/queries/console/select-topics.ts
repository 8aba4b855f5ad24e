import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";
import { PLACES } from "./select-places";

export interface TopicDbRow {
  readonly topic: string;
  readonly transport: "http" | "nats" | "rabbitmq" | null;
  readonly destination: string | null;
  readonly paused_at: string | null;
  readonly paused_by: string | null;
  readonly pause_reason: string | null;
  readonly version: number;
  readonly updated_at: string;
  readonly updated_by: string;
}

const COLUMNS = `t.topic, t.transport, t.destination, ${iso("t.paused_at")} as paused_at, t.paused_by, t.pause_reason, t.version,
  ${iso("t.updated_at")} as updated_at, t.updated_by`;

/** What operators decided about topics. */
export async function selectTopics(q: Queryable, tenantId: string): Promise<TopicDbRow[]> {
  const { rows } = await q.query<TopicDbRow>({
    text: `select ${COLUMNS} from onceboard.topics t where t.tenant_id = $1 order by t.paused_at is null, t.topic limit $2`,
    values: [tenantId, PLACES],
  });
  return rows;
}

/** About one topic, or nothing: the defaults. */
export async function selectTopic(q: Queryable, tenantId: string, topic: string): Promise<TopicDbRow | undefined> {
  const { rows } = await q.query<TopicDbRow>({
    text: `select ${COLUMNS} from onceboard.topics t where t.tenant_id = $1 and t.topic = $2`,
    values: [tenantId, topic],
  });
  return rows[0];
}

/** Where topics of merchants' endpoints lead. */
export async function selectEndpointUrls(q: Queryable, tenantId: string): Promise<{ id: string; url: string }[]> {
  const { rows } = await q.query<{ id: string; url: string }>({
    text: "select e.id, e.url from onceboard.webhook_endpoints e where e.tenant_id = $1 order by e.created_at desc limit $2",
    values: [tenantId, PLACES],
  });
  return rows;
}

/** What was published less long ago may not be in the roll-ups yet. */
const NOT_ROLLED_UP_SECONDS = 180;

/** Whether a topic is one: something was written to it, somebody decided about it, or an endpoint has it. */
export async function topicExists(q: Queryable, tenantId: string, topic: string): Promise<boolean> {
  const { rows } = await q.query<{ known: boolean }>({
    text: `select exists (select 1 from onceboard.topics t where t.tenant_id = $1 and t.topic = $2)
  or exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = $2)
  or exists (select 1 from onceboard.outbox_history h where h.tenant_id = $1 and h.topic = $2
    and h.published_at > now() - make_interval(secs => $3) and h.day >= (now() at time zone 'utc')::date - 1)
  or exists (select 1 from onceboard.metric_messages k where k.tenant_id = $1 and k.side = 'outbox' and k.place = $2)
  or exists (select 1 from onceboard.webhook_endpoints e where e.tenant_id = $1 and 'webhook:' || e.id::text = $2) as known`,
    values: [tenantId, topic, NOT_ROLLED_UP_SECONDS],
  });
  return rows[0]?.known ?? false;
}
