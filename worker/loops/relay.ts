import { relay } from "@/engine/outbox/relay";
import type { CircuitCooldowns } from "@/engine/outbox/circuit-cooldowns";
import { createTopicSlots, TOPIC_TICK_TIMEOUT_MS } from "@/engine/outbox/topic-slots";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Tenants whose outboxes are relayed at once. */
const TENANT_CONCURRENCY = 4;

/** Sends what the outboxes hold. @param intervalMs between ticks that found something */
export function relayLoop(intervalMs: number): Loop {
  const cooldowns: CircuitCooldowns = new Map();
  const slots = createTopicSlots(TOPIC_TICK_TIMEOUT_MS);
  return tenantLoop(
    "relay",
    intervalMs,
    async (ctx, { transports, signal }) => ({
      ...(await relay(ctx, transports, { cooldowns, slots, ...(signal && { signal }) })),
    }),
    {
      concurrency: TENANT_CONCURRENCY,
      end: () => slots.allEnded(),
      // Publishing one message may have let the next of its aggregate go.
      busy: (result) => (result["published"] ?? 0) > 0,
    },
  );
}
