import { RELAY_BATCH, relay } from "@/engine/relay";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Sends what the outboxes hold. @param intervalMs between ticks that found something */
export function relayLoop(intervalMs: number): Loop {
  return {
    name: "relay",
    intervalMs,
    tick: (deps) =>
      eachTenant(deps, "relay", async (ctx) => ({
        ...(await relay(ctx, deps.transport, { ...(deps.signal && { signal: deps.signal }) })),
      })),
    busy: (result) => (result["published"] ?? 0) >= RELAY_BATCH,
  };
}
