import type { Queryable } from "@/db/client";
import type { EngineContext } from "../../context";
import type { BoundProvider, Claim } from "../operation";
import { ownConnections, shareIfHere, type Ran } from "./shared-transaction";

/** About what a step sends of its own. */
const STEP_BYTES = 2_048;

/** Runs a step of the provider path in one transaction with what else is here in the same turn, where the operation may share. */
export function shareStep<C, Result>(
  ctx: EngineContext,
  definition: Pick<BoundProvider<C>, "name" | "sharesTransaction">,
  { operationId }: Claim,
  alone: () => Promise<Result>,
  run: (tx: Queryable) => Promise<Ran<Result>>,
): Promise<Result> {
  if (definition.sharesTransaction !== true) return alone();
  const { tenantId, db } = ctx;
  return shareIfHere({
    tenantId,
    operation: definition.name,
    alone,
    run,
    over: ownConnections(db.pool),
    name: JSON.stringify([tenantId, operationId]),
    bytes: STEP_BYTES,
  });
}
