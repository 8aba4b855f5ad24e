import { inTransaction } from "@/db/transaction";
import type { Queryable } from "@/db/client";
import { claim as claimKey, type ClaimInput, type ClaimRow } from "@/db/operations/claim";
import type { Answer } from "./answer";
import { answerEvent } from "./answer-event";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import type { ExecuteRequest } from "./execute";
import { factsOf } from "./facts";
import { keepSettlement } from "./keep-settlement";
import type { BoundLocal, Claim, Settlement } from "./operation";
import { isFinalRefusal, refusalSettlement } from "./refusal";
import { inSpan } from "../telemetry/telemetry";

export type LocalResult =
  | { readonly kind: "answer"; readonly answer: Answer }
  /** The key is known already; nothing was written. */
  | { readonly kind: "existing"; readonly row: ClaimRow };

/**
 * Key, business rows, outbox rows and the answer in one transaction: a crash leaves nothing at all. A refusal that
 * does not bind leaves no record either; one that is thrown is kept by a strict operation only.
 */
export async function executeLocal<C>(
  ctx: EngineContext,
  definition: BoundLocal<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
): Promise<LocalResult> {
  try {
    return await claimAndSettle(ctx, definition, request, input, (tx, claim) =>
      definition.run(ctx, tx, claim, request.command),
    );
  } catch (error) {
    if (definition.policy.failures !== "strict" || !isFinalRefusal(error)) throw error;
    return claimAndSettle(ctx, definition, request, input, (_tx, claim) =>
      Promise.resolve(refusalSettlement(claim.operationId, error)),
    );
  }
}

async function claimAndSettle<C>(
  ctx: EngineContext,
  definition: BoundLocal<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
  run: (tx: Queryable, claim: Claim) => Promise<Settlement>,
): Promise<LocalResult> {
  const { name: operation, schemaVersion, policy } = definition;
  crashPoint("C4");
  return inTransaction(ctx.db, async (tx): Promise<LocalResult> => {
    const row = await inSpan("claim", {}, () => claimKey(tx, input));
    if (request.told !== undefined) request.told.row = row;
    if (row.outcome !== "claimed") return { kind: "existing", row };
    crashPoint("C3");
    const { operation_id: operationId, fence, attempts: attempt } = row;
    const claim: Claim = { operationId, operation, key: input.key, fence, attempt };
    const settlement = await run(tx, claim);
    const { response, refusal, state } = settlement;
    if (refusal !== undefined && policy.refusals === "not_binding") throw refusal;
    const { status, body } = response;
    const event = { operation, outcome: "executed", status, code: refusal?.code, body } as const;
    await keepSettlement(ctx, tx, definition, claim, settlement, answerEvent(ctx, row, request, event));
    return {
      kind: "answer",
      answer: { outcome: "executed", operation: factsOf(row, state), response, schemaVersion, by: "stored" },
    };
  });
}
