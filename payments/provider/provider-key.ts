import { countDeclined } from "@/db/operations/operation-facts";
import type { Queryable } from "@/db/client";
import type { EngineContext } from "@/engine/context";
import type { Claim } from "@/engine/execute/operation";

/**
 * The stable name of an effect at the provider: the same on every attempt and every recovery. Only after the
 * provider's own final decline, where the policy lets the same key try again, the next attempt is a new effect and
 * has a name of its own; under the old one the provider would repeat its decline.
 *
 * @param kind `payment`, `refund` or `void` @param id of the business row
 */
export async function providerKeyOf(
  ctx: EngineContext,
  tx: Queryable,
  claim: Claim,
  kind: string,
  id: string,
): Promise<string> {
  const key = `provider_${kind}_${id}`;
  if (claim.attempt <= 1) return key;
  const declined = await countDeclined(tx, ctx.tenantId, claim.operationId);
  return declined === 0 ? key : `${key}_${String(declined + 1)}`;
}
