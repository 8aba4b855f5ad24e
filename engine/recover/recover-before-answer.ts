import type { ClaimRow } from "@/db/operations/claim";
import { operationFacts, type ExecuteAnswer } from "../execute/answer";
import type { EngineContext } from "../context";
import type { BoundOperation } from "../execute/operation";
import { schemaVersionOf } from "../execute/versions";
import { recoverOperation, takeOne } from "./recover-operation";

/**
 * A retry that finds a stale lease races the recovery loop for ownership, safely: one of them gets the row. The winner settles
 * and answers with the result; the loser says in progress.
 */
export async function recoverBeforeAnswer<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  row: ClaimRow,
): Promise<ExecuteAnswer> {
  const taken = await takeOne(ctx, ctx.db.pool, { operationId: row.operation_id });
  const bound = definition.path === "provider" ? definition : undefined;
  const conclusion = taken && (await recoverOperation(ctx, () => Promise.resolve(bound), taken));
  const operation = operationFacts(row, conclusion?.state);
  switch (conclusion?.kind) {
    case "settled": {
      const { response, refusal } = conclusion.settlement;
      const schemaVersion = schemaVersionOf(definition, row.api_version);
      return { outcome: "replayed", operation, response, schemaVersion, by: "stored", errorCode: refusal?.code };
    }
    case "unknown":
      return { outcome: "unknown", operation, retryAfterSeconds: definition.policy.unknownRetryAfter };
    case "released":
      return { outcome: "refused", operation, error: conclusion.error };
    case undefined: {
      const retryAfterSeconds = definition.policy.inProgressRetryAfter;
      return { outcome: "in_progress", operation, mode: "conflict", retryAfterSeconds };
    }
  }
}
