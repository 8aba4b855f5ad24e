import { sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, textRows } from "@/db/query";

/** Dead letters that are counted; beyond that there are at least so many. */
export const DEAD_COUNTED = 100_000;
/** Topics of a tenant that are looked at, and of each the messages whose next attempt is the latest. */
export const TOPICS_MEASURED = 200;
export const MESSAGES_MEASURED = 1_000;

/** Open dead letters of both sides, but for those of alerts: an alert that cannot be delivered is no reason for another. */
export async function countDeadLetters(q: Queryable, tenantId: string): Promise<number> {
  const [row] = await rowsOf(
    q,
    sql<{ count: number }>`select count(*)::int as count from (
      select 1 from onceboard.dead_letters
      where tenant_id = ${tenantId} and settled_at is null and place not like 'alert:%' limit ${DEAD_COUNTED}) d`,
  );
  return row?.count ?? 0;
}

export interface TopicMeasure {
  readonly topic: string;
  readonly paused: boolean;
  /** Messages that were tried in vain, of those that were looked at. */
  readonly failing: number;
  /** Of the oldest of them. */
  readonly oldestMs: number;
  readonly errorCode?: string | undefined;
}

/**
 * Topics with messages that wait and were tried in vain, or could not be sent at all; topics of alerts are left out. Jumps along the index
 * of what is due, so it costs by topic, not by message. SQL text: drizzle has no recursive `with`.
 *
 * @returns `whole` false: there are more topics than were looked at
 */
export async function measureTopics(
  q: Queryable,
  tenantId: string,
): Promise<{ readonly topics: readonly TopicMeasure[]; readonly whole: boolean }> {
  const rows = await textRows<Partial<TopicMeasure> & { readonly named: number }>(
    q,
    `with recursive walked as (
       (select m.topic, 1 as nth from onceboard.outbox_messages m
        where m.tenant_id = $1 and m.state = 'pending' order by m.topic limit 1)
       union all
       select (select m.topic from onceboard.outbox_messages m
               where m.tenant_id = $1 and m.state = 'pending' and m.topic > walked.topic order by m.topic limit 1), nth + 1
       from walked where walked.topic is not null and nth < $2),
     named as materialized (select topic from walked where topic is not null),
     measured as (
       select named.topic, t.paused_at is not null as paused, f.failing, f.oldest_ms, f.error_code
       from named
       cross join lateral (
         select count(*)::int as failing, (extract(epoch from clock_timestamp() - min(w.created_at)) * 1000)::float8 as oldest_ms,
           max(w.last_error_code) as error_code
         from (select m.created_at, m.last_error_code from onceboard.outbox_messages m
               where m.tenant_id = $1 and m.topic = named.topic and m.state = 'pending'
               order by m.next_attempt_at desc limit $3) w
         where w.last_error_code is not null) f
       left join onceboard.topics t on t.tenant_id = $1 and t.topic = named.topic
       where f.failing > 0 and named.topic not like 'alert:%')
     select n.named, measured.* from (select count(*)::int as named from named) n left join measured on true`,
    [tenantId, TOPICS_MEASURED, MESSAGES_MEASURED],
    "measure_topics",
  );
  const topics = rows.flatMap(({ topic, paused = false, failing = 0, oldestMs = 0, errorCode }) =>
    topic === undefined ? [] : [{ topic, paused, failing, oldestMs, errorCode }],
  );
  return { topics, whole: (rows[0]?.named ?? 0) < TOPICS_MEASURED };
}

/** Of each of these topics, the error of a message that waits; none where nothing went wrong. */
export function selectLastErrors(
  q: Queryable,
  tenantId: string,
  topics: readonly string[],
): Promise<{ readonly topic: string; readonly errorCode?: string | undefined }[]> {
  return textRows(
    q,
    `select named.topic, f.error_code from unnest($2::text[]) named(topic)
     cross join lateral (
       select max(w.last_error_code) as error_code
       from (select m.last_error_code from onceboard.outbox_messages m
             where m.tenant_id = $1 and m.topic = named.topic and m.state = 'pending'
             order by m.next_attempt_at desc limit $3) w) f`,
    [tenantId, topics, MESSAGES_MEASURED],
  );
}
