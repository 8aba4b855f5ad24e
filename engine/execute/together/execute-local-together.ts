import type { ClaimInput } from "@/db/operations/claim";
import { executedAnswer } from "../answer";
import { eventOfAnswer } from "../answer-event";
import type { EngineContext } from "../../context";
import type { ExecuteRequest } from "../execute-request";
import { executeLocal, type Attempt } from "../execute-local";
import { answerToKeep } from "../keep-settlement";
import { claimFrom, type BoundLocal } from "../operation";
import { ownConnections, shareIfHere } from "./shared-transaction";

/** As {@link executeLocal}, in one transaction with what else is here in the same turn, where the operation may share. */
export function executeLocalTogether<C>(
  ctx: EngineContext,
  definition: BoundLocal<C>,
  request: ExecuteRequest<C>,
  claim: ClaimInput,
): Promise<Attempt> {
  const alone = (): Promise<Attempt> => executeLocal(ctx, definition, request, claim);
  const { transact, sharedOver: over = transact === undefined ? ownConnections(ctx.db.pool) : undefined } = definition;
  if (definition.sharesTransaction !== true || over === undefined) return alone();
  const { tenantId, operation, key } = claim;
  return shareIfHere<Attempt>({
    tenantId,
    operation,
    over,
    claim,
    alone,
    name: JSON.stringify([tenantId, operation, key]),
    bytes: claim.commandSealed.length,
    async run(tx, row) {
      if (row === undefined) throw new Error("a local operation runs for its claim");
      if (row.outcome !== "claimed") return { result: { kind: "existing", row } };
      const owned = claimFrom(definition, key, row);
      const settlement = await definition.run(ctx, tx, owned, request.command);
      const { refusal } = settlement;
      if (refusal !== undefined && definition.policy.refusals === "not_binding") throw refusal;
      const answer = executedAnswer(definition, row, settlement);
      const event = eventOfAnswer(ctx, definition, request, row, answer);
      const kept = await answerToKeep(ctx, definition, owned, settlement, event);
      return { result: { kind: "answered", row, answer }, kept };
    },
  });
}
