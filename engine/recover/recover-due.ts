import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import type { OperationRegistry } from "../execute/operation";
import { bindRegistered } from "../execute/bind";
import { recoverOperation, takeOne } from "./recover-operation";

export interface RecoverDueResult {
  readonly taken: number;
  readonly settled: number;
  readonly released: number;
  readonly unknown: number;
  readonly fenced: number;
  /** Our own side failed on it; it was given back. */
  readonly failed: number;
}

/**
 * One tick of recovery for one tenant: takes stale leases and due look-ups and settles them one after the other.
 * @param input.limit most operations of this tick
 */
export async function recoverDue(
  ctx: EngineContext,
  registry: OperationRegistry,
  input: { readonly limit: number },
): Promise<RecoverDueResult> {
  const result = { taken: 0, settled: 0, released: 0, unknown: 0, fenced: 0, failed: 0 };
  for (let count = 0; count < input.limit; count += 1) {
    crashPoint("R1");
    // One at a time: a batch would hold leases that run out while the provider is slow.
    const taken = await takeOne(ctx, ctx.db.pool);
    if (taken === undefined) break;
    result.taken += 1;
    try {
      const conclusion = await recoverOperation(ctx, () => bindRegistered(ctx, registry, taken.operation), taken);
      result[conclusion?.kind ?? "fenced"] += 1;
    } catch {
      // Logged and given back already; one that cannot be recovered must not keep the others waiting.
      result.failed += 1;
    }
  }
  return result;
}
