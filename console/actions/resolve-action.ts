import { settlingEvidence } from "@/db/operations/settling-evidence";
import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import type { OperationRegistry } from "@/engine/execute/operation";
import { operatorTask } from "@/engine/actions/operator-action";
import { readActionFacts, outcomeOf } from "./reconcile-action";
import { resolveOperation, type ResolveInput } from "@/engine/recover/resolve";

/**
 * A person settles an unknown outcome with evidence. A decision against a final source is refused: "failed" would free the
 * customer to pay twice.
 * @throws AppError `operation.not_unknown` 409, `operation.contradicted` 409, `validation.evidence` 422: nothing was changed
 */
export async function resolveAction(
  ctx: EngineContext,
  registry: OperationRegistry,
  request: ActionRequest,
  input: Omit<ResolveInput, "alongside">,
): Promise<ActionResult> {
  return operatorTask(ctx, request, async (finish) => {
    const before = await readActionFacts(ctx, ctx.db.pool, input.operationId);
    await refuseContradiction(ctx, input);
    const evidence = { decision: input.decision, evidence: input.evidence, providerReference: input.providerReference };
    const result = await resolveOperation(ctx, registry, {
      ...input,
      alongside: (tx, conclusion) => finish(tx, outcomeOf(before, conclusion, evidence)),
    });
    const { changed, after: state } = result;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after: { state }, evidence };
  });
}

async function refuseContradiction(
  ctx: EngineContext,
  input: Pick<ResolveInput, "operationId" | "decision">,
): Promise<void> {
  if (input.decision === "keep_waiting") return;
  const facts = await settlingEvidence(ctx.db.pool, ctx.tenantId, input.operationId);
  const against =
    input.decision === "failed"
      ? [
          facts.provider_succeeded && "the provider said it succeeded",
          facts.webhook_succeeded && "a signed webhook says it succeeded",
          facts.posted && "the ledger has an entry for it",
        ]
      : [
          facts.provider_declined && "the provider declined it",
          facts.webhook_failed && "a signed webhook says it failed",
        ];
  const why = against.filter((text) => text !== false);
  if (why.length === 0) return;
  throw new AppError("operation.contradicted", 409, "A final source contradicts this decision", {
    detail: `${why.join("; ")}. Nothing was changed.`,
  });
}
