import { consumeAlone, consumeTogether } from "@/engine/consume";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Tenants whose inboxes are handled at once. */
const TENANT_LANES = 2;

/** Handles what the inboxes recorded and nobody tried yet. */
export function consumeLoop(intervalMs: number): Loop {
  return loopOf("consume", intervalMs, consumeTogether);
}

/** Handles what has to be handled alone; a loop of its own, so that a handler that hangs holds up nobody else. */
export function consumeAloneLoop(intervalMs: number): Loop {
  return loopOf("consume-alone", intervalMs, consumeAlone);
}

function loopOf(name: string, intervalMs: number, verb: typeof consumeTogether): Loop {
  return {
    name,
    intervalMs,
    tick: (deps) =>
      eachTenant(
        deps,
        name,
        async (ctx) => ({ ...(await verb(ctx, deps.consumers, { ...(deps.signal && { signal: deps.signal }) })) }),
        TENANT_LANES,
      ),
    busy: (result) => (result["processed"] ?? 0) > 0,
  };
}
