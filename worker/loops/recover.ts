import { recoverDue } from "@/engine/recover/recover-due";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Operations that one tick settles for one tenant: each may ask a slow provider. */
export const RECOVER_LIMIT = 10;

/** Takes over stale leases and asks about unknown outcomes. */
export function recoverLoop(intervalMs: number): Loop {
  return tenantLoop(
    "recover",
    intervalMs,
    async (ctx, { registry }) => ({ ...(await recoverDue(ctx, registry, { limit: RECOVER_LIMIT })) }),
    { busy: (result) => (result["settled"] ?? 0) >= RECOVER_LIMIT },
  );
}
