import { AppError } from "@/domain/errors";
import type { OperationState } from "@/domain/idempotency/states";
import { bindRegistered } from "../execute/bind";
import type { Conclusion } from "../execute/conclude-provider";
import type { EngineContext } from "../context";
import type { OperationRegistry } from "../execute/operation";
import type { RecoverOptions } from "./recover-at-provider";
import { recoverOperation, takeOne } from "./recover-operation";

export interface ReconcileResult {
  readonly before: OperationState;
  readonly after: OperationState;
  /** What the provider said, in the words of the attention queue. */
  readonly finding: string;
  readonly changed: boolean;
}

/**
 * Asks the provider now and settles by what it says: the same verb for the worker, an operator and a webhook.
 * @param input.alongside runs in the settling transaction (the audit entry of an operator's action)
 * @param input.onlyAsk nothing is sent again, also where recovery by itself would
 * @param input.onlyRelease only what was never sent: its key becomes free, nobody is asked
 * @throws AppError `operation.not_open` 409 when it is settled or its owner's lease is live: nothing was asked
 */
export async function reconcileOperation(
  ctx: EngineContext,
  registry: OperationRegistry,
  input: RecoverOptions & { readonly operationId: string },
): Promise<ReconcileResult> {
  const taken = await takeOne(ctx, ctx.db.pool, { operationId: input.operationId, now: true });
  if (taken === undefined) throw notOpen();
  const conclusion = await recoverOperation(ctx, () => bindRegistered(ctx, registry, taken.operation), taken, input);
  if (conclusion === undefined) throw notOpen();
  const { state } = conclusion;
  return { before: taken.state, after: state, finding: wordsOf(conclusion), changed: state !== taken.state };
}

/** What became of it, in the words of the attention queue. */
export function wordsOf(conclusion: Conclusion): string {
  switch (conclusion.kind) {
    case "settled":
      return conclusion.settlement.state === "COMPLETED" ? "succeeded" : "declined";
    case "released":
      return "no effect, released";
    case "unknown":
      return conclusion.finding;
  }
}

function notOpen(): AppError {
  return new AppError("operation.not_open", 409, "This operation is not open, or its lease is held", {
    detail: "Nothing was asked and nothing was changed. Look at the operation again.",
  });
}
