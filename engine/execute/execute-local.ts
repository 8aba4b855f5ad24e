import { inTransaction } from "@/db/transaction";
import type { Queryable } from "@/db/client";
import { claim as claimKey, type ClaimInput, type ClaimRow } from "@/db/operations/claim";
import { executedAnswer, type ExecuteAnswer } from "./answer";
import { eventOfAnswer } from "./answer-event";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import type { ExecuteRequest } from "./execute-request";
import { keepSettlement } from "./keep-settlement";
import { claimFrom, type BoundLocal, type OwnClaim, type Settlement, type Transact } from "./operation";
import { isFinalRefusal, refusalSettlement } from "./refusal";
import { inSpan } from "../telemetry/telemetry";

/** How one attempt ended. A failed one is known to have left nothing, unless its error says that this is in doubt. */
export type Attempt =
  | { readonly kind: "answered"; readonly row: ClaimRow | undefined; readonly answer: ExecuteAnswer }
  /** The key is known already; nothing was written. */
  | { readonly kind: "existing"; readonly row: ClaimRow }
  | { readonly kind: "failed"; readonly row: ClaimRow | undefined; readonly error: unknown };

/**
 * Key, business rows, outbox rows and the answer in one transaction: a crash leaves nothing at all. A refusal that does not bind
 * leaves no record either; one that is thrown is kept by a strict operation only.
 */
export async function executeLocal<C>(
  ctx: EngineContext,
  definition: BoundLocal<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
): Promise<Attempt> {
  const tried = await claimAndSettle(ctx, definition, request, input, (tx, claim) =>
    definition.run(ctx, tx, claim, request.command),
  );
  if (tried.kind !== "failed" || definition.policy.failures !== "strict" || !isFinalRefusal(tried.error)) return tried;
  const { error } = tried;
  return claimAndSettle(ctx, definition, request, input, (_tx, claim) =>
    Promise.resolve(refusalSettlement(claim.operationId, error)),
  );
}

async function claimAndSettle<C>(
  ctx: EngineContext,
  definition: BoundLocal<C>,
  request: ExecuteRequest<C>,
  input: ClaimInput,
  run: (tx: Queryable, claim: OwnClaim) => Promise<Settlement>,
): Promise<Attempt> {
  let claimed: ClaimRow | undefined;
  const transact: Transact = definition.transact ?? ((work) => inTransaction(ctx.db, work));
  try {
    crashPoint("C4");
    return await transact(async (tx): Promise<Attempt> => {
      const row = await inSpan("claim", {}, () => claimKey(tx, input));
      claimed = row;
      if (row.outcome !== "claimed") return { kind: "existing", row };
      crashPoint("C3");
      const claim = claimFrom(definition, input.key, row);
      const settlement = await run(tx, claim);
      const { refusal } = settlement;
      if (refusal !== undefined && definition.policy.refusals === "not_binding") throw refusal;
      const answer = executedAnswer(definition, row, settlement);
      const event = eventOfAnswer(ctx, definition, request, row, answer);
      await keepSettlement(ctx, tx, definition, claim, settlement, event);
      return { kind: "answered", row, answer };
    });
  } catch (error) {
    return { kind: "failed", row: claimed, error };
  }
}
