import type { EngineContext } from "../context";
import type { DeliveryResult, OutboxDelivery, Transport, Transports } from "../outbox/transport";

/** @returns transports that are all one. */
export function everyTopic(transport: Transport): Transports {
  return { of: () => transport, close: () => transport.close() };
}

/** A destination of a test: whatever `deliver` answers. */
export function through(
  deliver: (delivery: OutboxDelivery, ctx: EngineContext) => DeliveryResult | Promise<DeliveryResult>,
  concurrency = 8,
): Transports {
  return everyTopic({
    name: "http",
    concurrency,
    deliver: async (ctx, delivery) => deliver(delivery, ctx),
    close: () => Promise.resolve(),
  });
}
