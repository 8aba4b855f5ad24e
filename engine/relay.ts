import { dueTopics } from "@/db/queries/due-topics";
import { inLanes } from "@/domain/in-lanes";
import type { EngineContext } from "./context";
import { restingTopics, type RelayRests } from "./relay-rests";
import { relayTopic, type RelayOptions, type RelayResult } from "./relay-topic";
import type { Transports } from "./transport";

/** Topics of one tenant that one tick looks at; what is over waits for the next one. */
export const TOPICS_PER_TICK = 200;
/** Topics under way at once: a slow destination takes one lane, not the relay. */
export const TOPIC_CONCURRENCY = 4;
/**
 * One tick: takes a batch of each topic that has something due and is not paused, delivers, and marks. A crash between
 * delivery and mark only means that the same message id is delivered again after the lease (C23).
 *
 * @param options.signal aborted: what is not under way yet is given back, what is under way is finished and marked
 */
export async function relay(
  ctx: EngineContext,
  transports: Transports,
  options: RelayOptions = {},
): Promise<RelayResult> {
  const sum = { claimed: 0, published: 0, failed: 0, dead: 0, fenced: 0, released: 0, unavailable: 0 };
  const rests = options.rests ?? (new Map() as RelayRests);
  const now = options.clock ?? (() => performance.now());
  const resting = restingTopics(ctx, rests, now());
  const topics = await dueTopics(ctx.db.pool, ctx.tenantId, TOPICS_PER_TICK, resting);
  const ended = await inLanes(TOPIC_CONCURRENCY, topics, async (due) => {
    if (options.signal?.aborted === true) return;
    const result = await relayTopic(ctx, transports, due, { ...options, rests, clock: now });
    for (const name of Object.keys(sum) as (keyof RelayResult)[]) sum[name] += result[name];
  });
  const broken = ended.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return sum;
}
