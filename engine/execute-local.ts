import { inTransaction } from "@/db/transaction";
import { claim as claimKey, type ClaimInput, type ClaimRow } from "@/db/statements/claim";
import type { Answer } from "./answer";
import { answerEvent } from "./answer-event";
import type { EngineContext } from "./context";
import type { ExecuteRequest } from "./execute";
import { factsOf } from "./facts";
import { keepSettlement } from "./keep-settlement";
import type { LocalOperation } from "./operation";

export type LocalResult =
  | { readonly kind: "answer"; readonly answer: Answer }
  /** The key is known already; nothing was written. */
  | { readonly kind: "existing"; readonly row: ClaimRow };

/**
 * Key, business rows, outbox rows and the answer in one transaction (S4.4): a crash leaves nothing at all, and a refusal
 * by the business that is thrown leaves no record either.
 */
export async function executeLocal<C>(
  ctx: EngineContext,
  definition: LocalOperation<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
): Promise<LocalResult> {
  return inTransaction(ctx.db, async (tx): Promise<LocalResult> => {
    const row = await claimKey(tx, input);
    if (row.outcome !== "claimed") return { kind: "existing", row };
    const claim = { operationId: row.operation_id, fence: row.fence, attempt: row.attempts };
    const settlement = await definition.run(ctx, tx, claim, request.command);
    const { status, body } = settlement.response;
    const event = {
      operation: definition.name,
      outcome: "executed",
      status,
      code: settlement.errorCode,
      body,
    } as const;
    await keepSettlement(ctx, tx, definition, claim, settlement, answerEvent(ctx, row, request, event));
    return {
      kind: "answer",
      answer: { outcome: "executed", operation: factsOf(row, settlement.state), response: settlement.response },
    };
  });
}
