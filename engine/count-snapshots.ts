import { takeCountSnapshots } from "@/db/statements/take-count-snapshots";
import type { EngineContext } from "./context";

/** Up to so many operations of a tenant are counted one by one; beyond that a sample of pages gives an estimate. */
export const COUNT_BOUND = 10_000;

/** Renews the counts of the huge states, so that no list ever counts them. */
export async function countSnapshots(ctx: EngineContext): Promise<"exact" | "estimate"> {
  return takeCountSnapshots(ctx.db.pool, ctx.tenantId, COUNT_BOUND);
}
