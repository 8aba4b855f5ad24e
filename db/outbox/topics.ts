import { and, asc, desc, eq, exists, or, sql, type SQL } from "drizzle-orm";
import { alias, type PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { PLACES } from "@/db/messages/select-places";
import { builder, pick, type RowOf, rowsOf, select, textRows } from "@/db/query";
import { metricMessages, outboxHistory, outboxMessages, topics, webhookEndpoints } from "@/db/schema";

const t = alias(topics, "t");
const m = alias(outboxMessages, "m");
const h = alias(outboxHistory, "h");
const k = alias(metricMessages, "k");
const e = alias(webhookEndpoints, "e");

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

/** @returns the topic as it is now, or undefined when somebody changed it since the caller looked: nothing was written. */
export async function setTopic(db: Queryable, input: TopicSettings) {
  const { tenantId, topic, version, transport, destination, paused, reason, actor } = input;
  const rows = await textRows<Pick<TopicDbRow, "version" | "pausedBy"> & { readonly pausedAt?: Date | undefined }>(
    db,
    "select version, paused_by, paused_at from onceboard.set_topic($1,$2,$3,$4,$5,$6,$7,$8)",
    [tenantId, topic, version, transport, destination, paused, reason, actor],
    "set_topic",
  );
  return rows.at(0);
}

/** How a topic travels as an operator chose it; null: as the deployment says. */
export type DueTopic = Pick<typeof topics.$inferSelect, "topic" | "transport" | "destination">;

/**
 * Topics of a tenant that have a message due and are not paused, at most `limit`; one whose circuit is open when its canary is due. Jumps along the index, so it costs by topic, not by
 * message. SQL
 * text: drizzle has no recursive `with`.
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
      left join onceboard.topic_circuits c on c.tenant_id = $1 and c.topic = n.topic and c.opened_at is not null
      -- The earliest by the index: an "exists" would be answered by reading the whole backlog.
      cross join lateral (
        select d.next_attempt_at from onceboard.outbox_messages d
        where d.tenant_id = $1 and d.topic = n.topic and d.state = 'pending'
        order by d.next_attempt_at limit 1) earliest
      where n.topic is not null and n.topic <> all ($3::text[]) and t.paused_at is null
        and (c.canary_at is null or c.canary_at <= clock_timestamp())
        and earliest.next_attempt_at <= clock_timestamp()
      limit $2`,
    values: [tenantId, limit, resting],
  });
  return rows;
}

export type TopicDbRow = RowOf<typeof selectTopics>;

const FIELDS = {
  ...pick(t, "topic", "transport", "destination", "pausedAt", "pausedBy", "pauseReason", "version"),
  ...pick(t, "updatedAt", "updatedBy"),
};

/** What operators decided about topics. */
export async function selectTopics(q: Queryable, tenantId: string) {
  const query = select(FIELDS)
    .from(t)
    .where(eq(t.tenantId, tenantId))
    .orderBy(sql`${t.pausedAt} is null`, asc(t.topic))
    .limit(PLACES);
  return rowsOf(q, query);
}

/** About one topic, or nothing: the defaults. */
export async function selectTopic(q: Queryable, tenantId: string, topic: string) {
  const its = and(eq(t.tenantId, tenantId), eq(t.topic, topic));
  return (await rowsOf(q, select(FIELDS).from(t).where(its))).at(0);
}

/** Where topics of merchants' endpoints lead. */
export async function selectEndpointUrls(q: Queryable, tenantId: string) {
  const query = select(pick(e, "id", "url"))
    .from(e)
    .where(eq(e.tenantId, tenantId));
  return rowsOf(q, query.orderBy(desc(e.createdAt)).limit(PLACES));
}

/** What was published less long ago may not be in the roll-ups yet. */
const NOT_ROLLED_UP_SECONDS = 180;

/** Whether a topic is one: something was written to it, somebody decided about it, or an endpoint has it. */
export async function topicExists(q: Queryable, tenantId: string, topic: string): Promise<boolean> {
  const has = (from: PgTable, ...conditions: readonly SQL[]) =>
    exists(
      builder
        .select({ one: sql`1` })
        .from(from)
        .where(and(...conditions)),
    );
  const published = sql`${h.publishedAt} > now() - make_interval(secs => ${NOT_ROLLED_UP_SECONDS})`;
  const known = or(
    has(t, eq(t.tenantId, tenantId), eq(t.topic, topic)),
    has(m, eq(m.tenantId, tenantId), eq(m.topic, topic)),
    has(
      h,
      eq(h.tenantId, tenantId),
      eq(h.topic, topic),
      published,
      sql`${h.day} >= (now() at time zone 'utc')::date - 1`,
    ),
    has(k, eq(k.tenantId, tenantId), eq(k.side, "outbox"), eq(k.place, topic)),
    has(e, eq(e.tenantId, tenantId), sql`'webhook:' || ${e.id}::text = ${topic}`),
  );
  const [row] = await rowsOf(q, sql<{ known: boolean }>`select ${known} as known`);
  return row?.known ?? false;
}
