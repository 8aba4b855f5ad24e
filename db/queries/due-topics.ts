import type { Queryable } from "@/db/client";

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
