import type { Queryable } from "@/db/client";
import { complete } from "@/db/statements/complete";
import type { EventRow } from "@/db/statements/record-events";
import { bodyBinding } from "./body-keyring";
import type { EngineContext } from "./context";
import { FencedError } from "./fenced";
import type { Claim, Settlement } from "./operation";

/**
 * Writes the answer of an operation, and what it makes known, in the transaction of its effects. The one place that
 * completes.
 *
 * @param executed the answer of the first caller, when this transaction is what he waits for
 * @throws FencedError when somebody took the operation over: the caller's transaction is undone
 */
export async function keepSettlement(
  ctx: EngineContext,
  tx: Queryable,
  definition: { readonly schemaVersion: string },
  claim: Claim,
  settlement: Settlement,
  executed?: EventRow,
): Promise<void> {
  const done = await complete(tx, {
    tenantId: ctx.tenantId,
    operationId: claim.operationId,
    fence: claim.fence,
    state: settlement.state,
    status: settlement.response.status,
    schemaVersion: definition.schemaVersion,
    resourceType: settlement.resource?.type,
    resourceId: settlement.resource?.id,
    errorCode: settlement.errorCode,
    headers: settlement.response.headers,
    bodySealed: ctx.keyring.seal(settlement.response.body, bodyBinding(ctx.tenantId, claim.operationId, "response")),
    outbox: settlement.messages,
    executed,
  });
  if (!done) throw new FencedError(claim);
}
