import type { ClaimRow } from "@/db/operations/claim";
import { takeOver } from "@/db/operations/take-over";
import { answerEvent } from "../execute/answer-event";
import type { Answer } from "../execute/answer";
import type { EngineContext } from "../context";
import type { ExecuteRequest } from "../execute/execute";
import { factsOf } from "../execute/facts";
import type { BoundOperation } from "../execute/operation";
import { recoverOperation } from "./recover-operation";

/**
 * A retry that finds a stale lease races the recovery loop for ownership, safely: one of them gets the row. The winner
 * settles and answers with the result; the loser says in progress.
 */
export async function recoverBeforeAnswer<C>(
  ctx: EngineContext,
  definition: BoundOperation<C>,
  request: Pick<ExecuteRequest<C>, "receivedAt">,
  row: ClaimRow,
): Promise<Answer> {
  const [taken] = await takeOver(ctx.db.pool, {
    tenantId: ctx.tenantId,
    owner: ctx.instance,
    leaseMs: ctx.config.leaseSeconds * 1_000,
    limit: 1,
    operationId: row.operation_id,
  });
  const registry = { provider: () => (definition.path === "provider" ? (definition as never) : undefined) };
  const conclusion = taken === undefined ? undefined : await recoverOperation(ctx, registry, taken);
  const told = (
    outcome: "replayed" | "in_progress" | "unknown" | "failed",
    status: number,
    code: string | undefined,
    body?: Buffer,
  ) => ctx.answers.add(answerEvent(ctx, row, request, { operation: definition.name, outcome, status, code, body }));
  switch (conclusion?.kind) {
    case "settled": {
      const { response, refusal } = conclusion.settlement;
      told("replayed", response.status, refusal?.code, response.body);
      const { schemaVersion } = definition;
      return {
        outcome: "replayed",
        operation: factsOf(row, conclusion.state),
        response,
        schemaVersion,
        by: "stored",
      };
    }
    case "unknown":
      told("unknown", 409, "idempotency.outcome_unknown");
      return {
        outcome: "unknown",
        operation: factsOf(row, conclusion.state),
        retryAfterSeconds: definition.policy.unknownRetryAfter,
      };
    case "released":
      told("failed", conclusion.error.status, conclusion.error.code);
      return { outcome: "refused", operation: factsOf(row, conclusion.state), error: conclusion.error };
    case undefined:
      told("in_progress", 409, "idempotency.in_progress");
      return {
        outcome: "in_progress",
        operation: factsOf(row),
        mode: "conflict",
        retryAfterSeconds: definition.policy.inProgressRetryAfter,
      };
  }
}
