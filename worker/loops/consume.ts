import { CONSUME_BATCH, consume } from "@/engine/consume";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Handles what the inboxes recorded. */
export function consumeLoop(intervalMs: number): Loop {
  return {
    name: "consume",
    intervalMs,
    tick: (deps) =>
      eachTenant(deps, "consume", async (ctx) => ({
        ...(await consume(ctx, deps.consumers, { ...(deps.signal && { signal: deps.signal }) })),
      })),
    busy: (result) => (result["processed"] ?? 0) >= CONSUME_BATCH,
  };
}
