import { dueTopics } from "@/db/outbox/topics";
import { withConcurrency } from "@/domain/with-concurrency";
import type { EngineContext } from "../context";
import { coolingTopics, type CircuitCooldowns } from "./circuit-cooldowns";
import { relayTopic, type RelayOptions, type RelayResult } from "./relay-topic";
import { createTopicSlots, type TopicSlots } from "./topic-slots";
import type { Transports } from "./transport";

/** Topics of one tenant that one tick looks at; what is over waits for the next one. */
export const TOPICS_PER_TICK = 200;
/** Topics that one tick waits for at once. */
export const TOPIC_CONCURRENCY = 4;
/**
 * One tick: takes a batch of each topic that has something due and is not paused, delivers, and marks. A crash between
 * delivery and mark only means that the same message id is delivered again after the lease.
 *
 * @param options.slots kept over ticks: a topic that is slow is left to its slot, and counted by the tick in which it ends
 * @param options.signal aborted: what is not under way yet is given back, what is under way is finished and marked
 */
export async function relay(
  ctx: EngineContext,
  transports: Transports,
  options: RelayOptions & { readonly slots?: TopicSlots } = {},
): Promise<RelayResult> {
  const cooldowns = options.cooldowns ?? (new Map() as CircuitCooldowns);
  const now = options.clock ?? (() => performance.now());
  const slots = options.slots ?? createTopicSlots();
  const left = [...coolingTopics(ctx, cooldowns, now()), ...slots.underWay(ctx)];
  const topics = await dueTopics(ctx.db.pool, ctx.tenantId, TOPICS_PER_TICK, left);
  await withConcurrency(TOPIC_CONCURRENCY, topics, async (due) => {
    if (options.signal?.aborted === true) return;
    await slots.run(ctx, due.topic, () => relayTopic(ctx, transports, due, { ...options, cooldowns, clock: now }));
  });
  return slots.collect(ctx);
}
