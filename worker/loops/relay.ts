import { relay } from "@/engine/outbox/relay";
import type { RelayRests } from "@/engine/outbox/relay-rests";
import { createTopicLanes, TOPIC_PATIENCE_MS } from "@/engine/outbox/topic-lanes";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Tenants whose outboxes are relayed at once. */
const TENANT_LANES = 4;

/** Sends what the outboxes hold. @param intervalMs between ticks that found something */
export function relayLoop(intervalMs: number): Loop {
  const rests: RelayRests = new Map();
  const lanes = createTopicLanes(TOPIC_PATIENCE_MS);
  return {
    name: "relay",
    intervalMs,
    tick: (deps) =>
      eachTenant(
        deps,
        "relay",
        async (ctx) => ({
          ...(await relay(ctx, deps.transports, { rests, lanes, ...(deps.signal && { signal: deps.signal }) })),
        }),
        TENANT_LANES,
      ),
    end: () => lanes.allEnded(),
    // Publishing one message may have let the next of its aggregate go.
    busy: (result) => (result["published"] ?? 0) > 0,
  };
}
