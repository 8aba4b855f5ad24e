import type { DueTopic } from "@/db/queries/due-topics";
import { claimOutbox, type ClaimedOutboxMessage } from "@/db/statements/claim-outbox";
import { publishOutbox } from "@/db/statements/publish-outbox";
import { releaseOutbox, type Outage } from "@/db/statements/release-outbox";
import { backoffMs } from "@/domain/backoff";
import { inLanes } from "@/domain/in-lanes";
import type { EngineContext } from "./context";
import { crashPoint } from "./crash-point";
import { deliver, DELIVERY_TIMEOUT_MS } from "./deliver";
import { meters } from "./meters";
import { OUTAGE_BACKOFF, restOf, type RelayRests } from "./relay-rests";
import type { Transport, Transports } from "./transport";

/** Messages of one topic that one relay holds at once; more where a transport takes more at once. */
export const RELAY_BATCH = 50;
/** What a lease leaves over the time in which a whole batch times out. */
const LEASE_MARGIN_MS = 15_000;

export interface RelayResult {
  readonly claimed: number;
  readonly published: number;
  readonly failed: number;
  readonly dead: number;
  /** Another relay had taken it over; what we did is not marked. */
  readonly fenced: number;
  /** Given back unsent because the process ends. */
  readonly released: number;
  /** Given back because their destination is down: no attempt. */
  readonly unavailable: number;
}

export interface RelayOptions {
  /** Messages per topic; as the transport likes it without it. */
  readonly limit?: number;
  readonly random?: () => number;
  readonly signal?: AbortSignal;
  /** Kept over ticks by whoever ticks again and again. */
  readonly rests?: RelayRests;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

/** Outlasts a whole batch of deliveries that all time out, so that nobody else sends them meanwhile. */
export function relayLeaseMs(transport: Pick<Transport, "concurrency">, batch: number): number {
  return Math.ceil(batch / transport.concurrency) * DELIVERY_TIMEOUT_MS + LEASE_MARGIN_MS;
}

/** One batch of one topic: claim, deliver, publish; give back what was not sent. */
export async function relayTopic(
  ctx: EngineContext,
  transports: Transports,
  due: DueTopic,
  options: RelayOptions & Required<Pick<RelayOptions, "rests" | "clock">>,
): Promise<RelayResult> {
  const transport = transports.of(due.topic, due.transport ?? undefined);
  const limit = options.limit ?? Math.max(RELAY_BATCH, transport.concurrency);
  const messages = await claimOutbox(ctx.db.pool, {
    tenantId: ctx.tenantId,
    topic: due.topic,
    owner: ctx.instance,
    leaseMs: relayLeaseMs(transport, limit),
    limit,
  });
  crashPoint("O1");
  const sent = await deliverAll(ctx, transport, due, messages, options);
  crashPoint("O3");
  const marked = await publishOutbox(ctx.db.pool, ctx.tenantId, sent.acknowledged, transport.name);
  crashPoint("O6");
  const fenced = sent.counts.fenced + sent.acknowledged.length - marked.length;
  if (fenced > 0) meters.leaseFenced.inc(fenced);
  const released = await giveBack(ctx, due.topic, sent, options);
  const result = { claimed: messages.length, published: marked.length, ...sent.counts, fenced, ...released };
  if (sent.broken !== undefined) throw sent.broken.reason;
  return result;
}

interface Sent {
  readonly acknowledged: ClaimedOutboxMessage[];
  readonly unsent: ClaimedOutboxMessage[];
  readonly counts: { failed: number; dead: number; fenced: number };
  /** Set when nothing could be sent there. */
  outage?: { readonly code: string; readonly reason: string };
  broken?: PromiseRejectedResult;
}

async function deliverAll(
  ctx: EngineContext,
  transport: Transport,
  due: DueTopic,
  messages: readonly ClaimedOutboxMessage[],
  options: RelayOptions,
): Promise<Sent> {
  const sent: Sent = { acknowledged: [], unsent: [], counts: { failed: 0, dead: 0, fenced: 0 } };
  const how = { destination: due.destination ?? undefined, random: options.random ?? Math.random };
  const ended = await inLanes(transport.concurrency, messages, async (message) => {
    if (options.signal?.aborted === true || sent.outage !== undefined) {
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
    } else sent.counts[fate.kind] += 1;
  });
  const broken = ended.find((end) => end.status === "rejected");
  // What was acknowledged is marked even when something else went wrong: fewer resends.
  return broken === undefined ? sent : { ...sent, broken };
}

/** Unsent messages go back at once when the process ends, or rest with their whole topic while nothing can be sent there. */
async function giveBack(
  ctx: EngineContext,
  topic: string,
  sent: Sent,
  options: RelayOptions & Required<Pick<RelayOptions, "rests" | "clock">>,
): Promise<{ released: number; unavailable: number }> {
  const name = restOf(ctx, topic);
  if (sent.outage === undefined) {
    options.rests.delete(name);
    return { released: await releaseOutbox(ctx.db.pool, ctx.tenantId, sent.unsent), unavailable: 0 };
  }
  const outages = (options.rests.get(name)?.outages ?? 0) + 1;
  const delayMs = backoffMs(outages, OUTAGE_BACKOFF, options.random?.() ?? Math.random());
  options.rests.set(name, { until: options.clock() + delayMs, outages });
  const outage: Outage = { delayMs, errorCode: sent.outage.code, error: sent.outage.reason };
  ctx.log.warn(
    { topic, code: outage.errorCode, pauseMs: Math.round(delayMs) },
    "nothing can be sent to this topic's destination now",
  );
  return { released: 0, unavailable: await releaseOutbox(ctx.db.pool, ctx.tenantId, sent.unsent, outage) };
}
