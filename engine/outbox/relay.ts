import { dueTopics } from "@/db/outbox/topics";
import { inLanes } from "@/domain/in-lanes";
import type { EngineContext } from "../context";
import { restingTopics, type RelayRests } from "./relay-rests";
import { relayTopic, type RelayOptions, type RelayResult } from "./relay-topic";
import { createTopicLanes, type TopicLanes } from "./topic-lanes";
import type { Transports } from "./transport";

/** Topics of one tenant that one tick looks at; what is over waits for the next one. */
export const TOPICS_PER_TICK = 200;
/** Topics that one tick waits for at once. */
export const TOPIC_CONCURRENCY = 4;
/**
 * One tick: takes a batch of each topic that has something due and is not paused, delivers, and marks. A crash between
 * delivery and mark only means that the same message id is delivered again after the lease.
 *
 * @param options.lanes kept over ticks: a topic that is slow is left to its lane, and counted by the tick in which it ends
 * @param options.signal aborted: what is not under way yet is given back, what is under way is finished and marked
 */
export async function relay(
  ctx: EngineContext,
  transports: Transports,
  options: RelayOptions & { readonly lanes?: TopicLanes } = {},
): Promise<RelayResult> {
  const rests = options.rests ?? (new Map() as RelayRests);
  const now = options.clock ?? (() => performance.now());
  const lanes = options.lanes ?? createTopicLanes();
  const left = [...restingTopics(ctx, rests, now()), ...lanes.underWay(ctx)];
  const topics = await dueTopics(ctx.db.pool, ctx.tenantId, TOPICS_PER_TICK, left);
  await inLanes(TOPIC_CONCURRENCY, topics, async (due) => {
    if (options.signal?.aborted === true) return;
    await lanes.run(ctx, due.topic, () => relayTopic(ctx, transports, due, { ...options, rests, clock: now }));
  });
  return lanes.collect(ctx);
}
