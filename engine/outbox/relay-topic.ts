import type { DueTopic } from "@/db/outbox/topics";
import { claimOutbox, type ClaimedOutboxMessage } from "@/db/messages/claim-messages";
import { type Outage, publishOutbox, releaseOutbox } from "@/db/messages/end-attempt";
import { backoffMs } from "@/domain/messages/backoff";
import { DELIVERY_TIMEOUT_MS } from "@/domain/messages/delivery";
import { withConcurrency } from "@/domain/with-concurrency";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { deliver, type Unavailable } from "./deliver";
import { meters } from "../telemetry/meters";
import { OUTAGE_BACKOFF, cooldownKey, type CircuitCooldowns } from "./circuit-cooldowns";
import type { Transport, Transports } from "./transport";
import { deliveryWorked, hasCircuit } from "./webhooks/endpoint-circuit";

/** Messages of one claim, and claims of one topic under way at once: one is written while the other is sent. */
export const RELAY_BATCH = 200;
const RELAY_CONCURRENCY = 2;
/** Messages of one topic in one tick: then others have their turn. */
const RELAY_LIMIT = 4_000;
/** A batch starts no delivery later than this after its claim and gives the rest back, so a lease is short however slow a destination is. */
export const SENDING_LIMIT_MS = 10_000;
/** Outlasts the last delivery of a batch, should it time out, so that nobody else sends it meanwhile. */
export const RELAY_LEASE_MS = SENDING_LIMIT_MS + DELIVERY_TIMEOUT_MS + 15_000;

/** What a circuit gave back is due again behind what was not tried: a message that always fails is not the canary each time. */
const BEHIND_OTHERS_MS = 1_000;

export interface RelayResult {
  readonly claimed: number;
  readonly published: number;
  readonly failed: number;
  readonly dead: number;
  /** Another relay had taken it over; what we did is not marked. */
  readonly fenced: number;
  /** Given back unsent because the process ends, or the destination is slow. */
  readonly released: number;
  /** Given back because their destination is down: no attempt. */
  readonly unavailable: number;
}

export interface RelayOptions {
  /** Messages per topic. */
  readonly limit?: number;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  /** Kept over ticks by whoever ticks again and again. */
  readonly cooldowns?: CircuitCooldowns;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

type TopicOptions = RelayOptions & Required<Pick<RelayOptions, "cooldowns" | "clock">>;

/** One tick of one topic: batches, as long as they are full and all of it goes well. */
export async function relayTopic(
  ctx: EngineContext,
  transports: Transports,
  due: DueTopic,
  options: TopicOptions,
): Promise<RelayResult> {
  const transport = transports.of(due.topic, due.transport ?? undefined);
  const sum = { claimed: 0, published: 0, failed: 0, dead: 0, fenced: 0, released: 0, unavailable: 0 };
  const slots: Promise<void>[] = [];
  const begin = (): void => {
    const begun = slot();
    // Its end is looked at below, maybe after it: a failure that nobody waits for yet would end the process.
    begun.catch(() => undefined);
    slots.push(begun);
  };
  let left = options.limit ?? RELAY_LIMIT;
  const slot = async (): Promise<void> => {
    for (let full = true; full && left > 0 && options.signal?.aborted !== true;) {
      const limit = Math.min(RELAY_BATCH, left);
      left -= limit;
      const from = options.clock();
      const messages = await claim(ctx, due.topic, limit);
      left += limit - messages.length;
      full = messages.length === limit;
      if (full && slots.length < RELAY_CONCURRENCY) begin();
      const how = { concurrency: Math.ceil(transport.concurrency / slots.length), until: from + SENDING_LIMIT_MS };
      const result = await relayBatch(ctx, transport, due, messages, { ...options, ...how });
      for (const name of Object.keys(sum) as (keyof RelayResult)[]) sum[name] += result[name];
      // What did not go is looked at by the next tick, which waits when nothing goes.
      full &&= result.published === messages.length;
    }
  };
  begin();
  let broken: PromiseRejectedResult | undefined;
  for (let at = 0; at < slots.length; at += 1) {
    const [ended] = await Promise.allSettled<[Promise<void> | undefined]>([slots[at]]);
    if (ended.status === "rejected") broken ??= ended;
  }
  if (broken !== undefined) throw broken.reason;
  return sum;
}

function claim(ctx: EngineContext, topic: string, limit: number): Promise<ClaimedOutboxMessage[]> {
  return claimOutbox(ctx.db.pool, {
    tenantId: ctx.tenantId,
    topic,
    owner: ctx.instance,
    leaseMs: RELAY_LEASE_MS,
    limit,
  });
}

interface BatchOptions extends TopicOptions {
  /** Deliveries of this batch under way at once. */
  readonly concurrency: number;
  /** By the clock of the options: no delivery starts later. */
  readonly until: number;
}

/** Delivers claimed messages, publishes what was acknowledged, and gives back what was not sent. */
async function relayBatch(
  ctx: EngineContext,
  transport: Transport,
  due: DueTopic,
  messages: readonly ClaimedOutboxMessage[],
  options: BatchOptions,
): Promise<RelayResult> {
  crashPoint("O1");
  const sent = await deliverAll(ctx, transport, due, messages, options);
  crashPoint("O3");
  const marked = await publishOutbox(ctx.db.pool, ctx.tenantId, sent.acknowledged, transport.name);
  crashPoint("O6");
  if (sent.acknowledged.length > 0 && sent.outage === undefined && hasCircuit(due.topic))
    await deliveryWorked(ctx, due.topic);
  const fenced = sent.counts.fenced + sent.acknowledged.length - marked.length;
  if (fenced > 0) meters.leaseFenced.inc(fenced);
  const released = await releaseUnsent(ctx, due.topic, sent, options);
  if (sent.broken !== undefined) throw sent.broken.reason;
  return { claimed: messages.length, published: marked.length, ...sent.counts, fenced, ...released };
}

interface SentBatch {
  readonly acknowledged: ClaimedOutboxMessage[];
  readonly unsent: ClaimedOutboxMessage[];
  readonly counts: { failed: number; dead: number; fenced: number };
  /** Set when nothing could be sent there. */
  outage?: Unavailable;
  broken?: PromiseRejectedResult;
}

async function deliverAll(
  ctx: EngineContext,
  transport: Transport,
  due: DueTopic,
  messages: readonly ClaimedOutboxMessage[],
  options: BatchOptions,
): Promise<SentBatch> {
  const sent: SentBatch = { acknowledged: [], unsent: [], counts: { failed: 0, dead: 0, fenced: 0 } };
  const how = { destination: due.destination ?? undefined, random: options.random ?? Math.random };
  const ended = await withConcurrency(options.concurrency, messages, async (message) => {
    if (options.signal?.aborted === true || sent.outage !== undefined || options.clock() > options.until) {
      sent.unsent.push(message);
      return;
    }
    const fate = await deliver(ctx, transport, message, how);
    if (fate.kind === "acknowledged") {
      sent.acknowledged.push(message);
      crashPoint("O2");
    } else if (fate.kind === "unavailable") {
      sent.outage ??= fate;
      sent.unsent.push(message);
    } else {
      sent.counts[fate.kind] += 1;
      if (fate.opened !== undefined) sent.outage ??= fate.opened;
    }
  });
  const broken = ended.find((end) => end.status === "rejected");
  // What was acknowledged is marked even when something else went wrong: fewer resends.
  return broken === undefined ? sent : { ...sent, broken };
}

/** Unsent messages go back at once when the process ends or the time of their batch is over, or rest with their whole topic while nothing can be sent there. */
async function releaseUnsent(
  ctx: EngineContext,
  topic: string,
  sent: SentBatch,
  options: TopicOptions,
): Promise<{ released: number; unavailable: number }> {
  const name = cooldownKey(ctx, topic);
  if (sent.outage === undefined) {
    options.cooldowns.delete(name);
    return { released: await releaseOutbox(ctx.db.pool, ctx.tenantId, sent.unsent), unavailable: 0 };
  }
  if (sent.outage.circuit === true) {
    const { code: errorCode, reason: error } = sent.outage;
    const down: Outage = { delayMs: BEHIND_OTHERS_MS, errorCode, error };
    return { released: 0, unavailable: await releaseOutbox(ctx.db.pool, ctx.tenantId, sent.unsent, down) };
  }
  const resting = options.cooldowns.get(name);
  const outages = (resting?.outages ?? 0) + 1;
  const delayMs = backoffMs(outages, OUTAGE_BACKOFF, options.random?.() ?? Math.random());
  // The other batch under way has met the same outage: it is one.
  if (resting === undefined || resting.until <= options.clock())
    options.cooldowns.set(name, { until: options.clock() + delayMs, outages });
  const outage: Outage = { delayMs, errorCode: sent.outage.code, error: sent.outage.reason };
  ctx.log.warn(
    { topic, code: outage.errorCode, pauseMs: Math.round(delayMs) },
    "nothing can be sent to this topic's destination now",
  );
  return { released: 0, unavailable: await releaseOutbox(ctx.db.pool, ctx.tenantId, sent.unsent, outage) };
}
