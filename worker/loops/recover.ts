import { recoverDue } from "@/engine/recover/recover-due";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Operations that one tick settles for one tenant: each may ask a slow provider. */
export const RECOVER_LIMIT = 10;

/** Takes over stale leases and asks about unknown outcomes. */
export function recoverLoop(intervalMs: number): Loop {
  return {
    name: "recover",
    intervalMs,
    tick: (deps) =>
      eachTenant(deps, "recover", async (ctx) => ({
        ...(await recoverDue(ctx, deps.registry, { limit: RECOVER_LIMIT })),
      })),
    busy: (result) => (result["settled"] ?? 0) >= RECOVER_LIMIT,
  };
}
