import type { EngineContext } from "../context";

/** What may carry a message; `mail` is for people. */
export const TRANSPORT_NAMES = ["http", "nats", "rabbitmq", "kafka", "mail"] as const;
export type TransportName = (typeof TRANSPORT_NAMES)[number];

export interface OutboxDelivery {
  /** The message's id on every resend: consumers dedupe by it. */
  readonly id: string;
  readonly topic: string;
  readonly type: string;
  /** `type/id` of what its events keep their order by. */
  readonly aggregate?: string;
  /** The same bytes on every resend. */
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * What a destination said.
 * `failed`: this attempt did not succeed, it comes again until its attempts are spent.
 * `rejected`: it will never be taken, so it is dead at once.
 * `unavailable`: nothing can be sent there now (a broker that is down). Not the message's fault and not an attempt: the whole
 * topic rests for a while, however long the outage lasts.
 */
export type DeliveryResult =
  | { readonly kind: "acknowledged" }
  | { readonly kind: "failed" | "rejected" | "unavailable"; readonly code: string; readonly reason: string };

export interface DeliveryOptions {
  /** A destination that has not answered by then has not acknowledged. */
  readonly timeoutMs: number;
  /** As the operator set it for the topic; undefined: the transport's own default. */
  readonly destination: string | undefined;
}

/** Carries messages to the destination of their topic. One per process, whatever number of tenants. */
export interface Transport {
  readonly name: TransportName;
  /** Deliveries of one relay and topic under way at once. */
  readonly concurrency: number;
  /** Never throws for trouble on the way. */
  deliver(ctx: EngineContext, delivery: OutboxDelivery, options: DeliveryOptions): Promise<DeliveryResult>;
  /** Gives connections back; deliveries under way have ended by then. */
  close(): Promise<void>;
}

/** Which transport carries a topic. */
export interface Transports {
  /** @param chosen by an operator for this topic; undefined: as the deployment says */
  of(topic: string, chosen: TransportName | undefined): Transport;
  close(): Promise<void>;
}
