import type { Queryable } from "@/db/client";
import { PLACES } from "@/db/messages/select-places";
import { iso } from "@/db/sql-text";

export interface TopicSettings {
  readonly tenantId: string;
  readonly topic: string;
  /** The version that the caller saw; 0: there was no row. */
  readonly version: number;
  readonly transport: string | undefined;
  readonly destination: string | undefined;
  readonly paused: boolean;
  readonly reason: string;
  readonly actor: string;
}

export interface TopicRow {
  readonly topic: string;
  readonly transport: string | null;
  readonly destination: string | null;
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly pause_reason: string | null;
  readonly version: number;
}

/** @returns the topic as it is now, or undefined when somebody changed it since the caller looked: nothing was written. */
export async function setTopic(db: Queryable, input: TopicSettings): Promise<TopicRow | undefined> {
  const { rows } = await db.query<TopicRow>({
    name: "set_topic",
    text: "select topic, transport, destination, paused_at, paused_by, pause_reason, version from onceboard.set_topic($1,$2,$3,$4,$5,$6,$7,$8)",
    values: [
      input.tenantId,
      input.topic,
      input.version,
      input.transport,
      input.destination,
      input.paused,
      input.reason,
      input.actor,
    ],
  });
  return rows[0];
}

export interface DueTopic {
  readonly topic: string;
  /** As an operator chose it; null: as the deployment says. */
  readonly transport: "http" | "nats" | "rabbitmq" | null;
  readonly destination: string | null;
}

/**
 * Topics of a tenant that have a message due and are not paused, at most `limit`. Jumps along the index, so it costs by topic, not by
 * message.
 *
 * @param resting topics that are left out, so that they take no place of others
 */
export async function dueTopics(
  db: Queryable,
  tenantId: string,
  limit: number,
  resting: readonly string[] = [],
): Promise<DueTopic[]> {
  const { rows } = await db.query<DueTopic>({
    name: "due_topics",
    text: `with recursive named as (
        (select m.topic from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'pending' order by m.topic limit 1)
        union all
        select (select m.topic from onceboard.outbox_messages m
                where m.tenant_id = $1 and m.state = 'pending' and m.topic > named.topic order by m.topic limit 1)
        from named where named.topic is not null)
      select n.topic, t.transport, t.destination
      from named n left join onceboard.topics t on t.tenant_id = $1 and t.topic = n.topic
      -- The earliest by the index: an "exists" would be answered by reading the whole backlog.
      cross join lateral (
        select d.next_attempt_at from onceboard.outbox_messages d
        where d.tenant_id = $1 and d.topic = n.topic and d.state = 'pending'
        order by d.next_attempt_at limit 1) earliest
      where n.topic is not null and n.topic <> all ($3::text[]) and t.paused_at is null
        and earliest.next_attempt_at <= clock_timestamp()
      limit $2`,
    values: [tenantId, limit, resting],
  });
  return rows;
}

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
