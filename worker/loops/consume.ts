import { ALONE_LEASE_MS } from "@/engine/inbox/handle-alone";
import { createWorkerSlots } from "@/engine/inbox/worker-slots";
import { consumeAlone, consumeTogether, type ConsumeOptions } from "@/engine/inbox/consume";
import { createHandlerPace, type HandlerPace } from "@/engine/inbox/handler-pace";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Tenants whose inboxes are handled at once. */
const TENANT_CONCURRENCY = 2;

/** Handles what the inboxes recorded and nobody tried yet. @param pace of this process, shared with the loop below */
export function consumeLoop(intervalMs: number, pace: HandlerPace = createHandlerPace()): Loop {
  return loopOf("consume", intervalMs, consumeTogether, { pace });
}

/** Handles what has to be handled alone; a loop of its own, so that a handler that hangs holds up nobody else. */
export function consumeAloneLoop(intervalMs: number, pace: HandlerPace = createHandlerPace()): Loop {
  const slots = createWorkerSlots();
  const loop = loopOf("consume-alone", intervalMs, consumeAlone, { pace, slots });
  return { ...loop, end: () => slots.allFree(ALONE_LEASE_MS) };
}

function loopOf(name: string, intervalMs: number, verb: typeof consumeTogether, options: ConsumeOptions): Loop {
  return tenantLoop(
    name,
    intervalMs,
    async (ctx, { consumers, signal }) => ({ ...(await verb(ctx, consumers, { ...options, signal })) }),
    { concurrency: TENANT_CONCURRENCY, busy: (result) => (result["processed"] ?? 0) > 0 },
  );
}
