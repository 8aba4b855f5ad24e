import { and, eq, gte, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { anyOf, builder, dayOf, select, subselect } from "@/db/query";
import { inboxMessages, inboxOpen, outboxHistory, outboxMessages, topics } from "@/db/schema";
import type { ProofArrival, ProofFacts, ProofMessage } from "@/domain/checks/proof-facts";
import type { OutboxState } from "@/domain/idempotency/states";
import { saidKey, saidStatus } from "@/db/inbox/provider-word";
import { correctedBy } from "@/db/messages/corrected-by";
import { its, type ProvenOperation, upTo } from "./proof-rows";

const m = alias(outboxMessages, "m");
const h = alias(outboxHistory, "h");
const t = alias(topics, "t");
const i = alias(inboxMessages, "i");
const w = alias(inboxOpen, "w");

/** Messages of a side that a proof reads at the most. */
const MESSAGES = 200;

/** Its events wherever they lie, in order; what carries a notification of it is no event. */
export function selectProofOutbox(q: Queryable, of: ProvenOperation, since: string): Promise<ProofFacts["outbox"]> {
  type Messages = typeof m | typeof h;
  const isEvent = ({ headers }: Messages): SQL => sql`not ${headers} ? 'notification'`;
  const fields = ({ id, type, position, topic, attemptsStarted: attempts }: Messages) => ({
    id,
    type,
    position,
    topic,
    attempts,
  });
  const waiting = subselect({ ...fields(m), state: sql<OutboxState>`${m.state}`, carrier: sql<string | null>`null` })
    .from(m)
    // Another message stands in the place of one that was corrected.
    .where(and(its(m, of), isEvent(m), sql`${correctedBy("m")} is null`));
  const published = subselect({
    ...fields(h),
    state: sql<OutboxState>`'published'`,
    carrier: sql<string | null>`${h.transport}`,
  })
    .from(h)
    .where(and(its(h, of), isEvent(h), gte(h.day, dayOf(since))));
  const a = waiting.unionAll(published).as("a");
  const to = sql<ProofMessage["to"]>`case when ${t.destination} is not null then 'elsewhere'
    when ${a.carrier} in ('nats', 'rabbitmq', 'kafka') then 'broker' else 'inbox' end`;
  const query = select({ id: a.id, type: a.type, state: a.state, attempts: a.attempts, to })
    .from(a)
    .leftJoin(t, and(eq(t.tenantId, of.tenantId), eq(t.topic, a.topic)));
  return upTo(q, MESSAGES, query, sql`${a.position}`);
}

/**
 * Inbox rows about the operation, and those that hold one of its events under whatever operation. Nothing of a payload leaves the
 * database but the provider's one word about an object that carries one of these provider keys.
 */
export function selectProofInbox(
  q: Queryable,
  of: ProvenOperation,
  messageIds: readonly string[],
  providerKeys: readonly string[],
  source: string,
): Promise<ProofFacts["inbox"]> {
  const word = (said: SQL<string | null>): SQL<string | null> =>
    sql`case when ${saidKey(i)} = any(${sql.param(providerKeys)}::text[]) then ${said} end`;
  const started = builder
    .select({ started: w.attemptsStarted })
    .from(w)
    .where(and(eq(w.tenantId, of.tenantId), eq(w.id, i.id)));
  const arrivals = () =>
    subselect({
      ...{ id: i.id, consumer: i.consumer, source: i.source, messageId: i.messageId, state: i.state },
      ...{ duplicates: i.duplicates, mismatches: i.mismatches, receivedAt: i.receivedAt },
      attempts: sql<number>`coalesce(${started}, ${i.attemptsStarted})`,
      status: word(saidStatus(i)),
      providerKey: word(saidKey(i)),
    }).from(i);
  const held = and(eq(i.tenantId, of.tenantId), anyOf(i.messageId, messageIds));
  const a = arrivals().where(its(i, of)).union(arrivals().where(held)).as("a");
  const query = select({
    ...{ id: a.id, consumer: a.consumer, messageId: a.messageId, state: a.state, attempts: a.attempts },
    ...{ duplicates: a.duplicates, mismatches: a.mismatches, providerKey: a.providerKey },
    own: sql<boolean>`${a.source} = ${source}`,
    says: sql<ProofArrival["says"] | null>`case when ${a.status} = 'succeeded' then 'succeeded'
    when ${a.status} in ('declined', 'failed') then 'failed' when ${a.status} in ('processing', 'pending') then 'processing' end`,
  });
  return upTo(q, MESSAGES, query.from(a), sql`${a.receivedAt}, ${a.id}`);
}
