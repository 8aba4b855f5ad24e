import { AppError } from "@/domain/errors";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { Conclusion } from "@/engine/execute/conclude-provider";
import type { EngineContext } from "@/engine/context";
import type { OperationRegistry } from "@/engine/execute/operation";
import { actorRef, operatorAction, operatorTask } from "@/engine/actions/operator-action";
import { reconcileOperation, wordsOf } from "@/engine/recover/reconcile";
import { judgeOperation, JUDGES } from "@/console/plans/operation-plans";
import { noEvidence, type ResolveInput, resolveOperation } from "@/engine/recover/resolve";
import { assignOperationRow } from "@/db/operations/transitions";
import { actorNames } from "@/db/access/actor-names";
import { planName } from "@/console/plans/plan-rows";
import { countSingleAct, requireSingleAct, type SingleAct } from "@/console/second-person/single-acts";
import { operationAmounts } from "@/db/plans/operation-plan-facts";
import { inTransaction } from "@/db/transaction";
import { readActionFacts, type OperationActionFacts } from "./action-facts";
import { refuseContradiction } from "./refuse-contradiction";
import { askService, belongsToService } from "./service-requests";

/** An operator asks the provider now. Audit and answer commit with what settles. @throws AppError `operation.not_open` 409 */
export async function reconcileAction(
  ctx: EngineContext,
  registry: OperationRegistry,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  if (await belongsToService(ctx, operationId)) return askService(ctx, request, { operationId, action: "reconcile" });
  return operatorTask(ctx, request, async (finish) => {
    const before = await readActionFacts(ctx, ctx.db.pool, operationId);
    const result = await reconcileOperation(ctx, registry, {
      operationId,
      onlyAsk: true,
      alongside: (tx, conclusion) => finish(tx, outcomeOf(before, conclusion)),
    });
    // Only for what recovery frees without a settling transaction of ours.
    const { changed, after: state, finding } = result;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after: { state, finding } };
  });
}

export function outcomeOf(before: OperationActionFacts, conclusion: Conclusion, evidence?: unknown): ActionOutcome {
  const changed = conclusion.state !== before.state;
  const after = {
    state: conclusion.state,
    finding: wordsOf(conclusion),
    ...(conclusion.kind === "settled" && { resource: conclusion.settlement.resource }),
  };
  return { changed, affected: changed ? 1 : 0, skipped: [], before, after, evidence };
}

/**
 * Gives the key of an owner that is gone free, where nothing was sent: it ends without effect. Through recovery's own
 * transition; audit and answer commit with it.
 * @throws AppError `operation.not_open` 409 when it was sent, is settled, or its lease is held: nothing was changed
 */
export async function releaseAction(
  ctx: EngineContext,
  registry: OperationRegistry,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  if (await belongsToService(ctx, operationId)) return askService(ctx, request, { operationId, action: "release" });
  return operatorTask(ctx, request, async (finish) => {
    const before = await readActionFacts(ctx, ctx.db.pool, operationId);
    const judged = await judgeOperation(ctx.db.pool, ctx, JUDGES.release, operationId);
    if (!judged.acts)
      throw new AppError("operation.not_open", 409, "This operation cannot be released", {
        detail: `${judged.why} Nothing was changed.`,
      });
    const result = await reconcileOperation(ctx, registry, {
      operationId,
      onlyAsk: true,
      onlyRelease: true,
      alongside: (tx, conclusion) => finish(tx, outcomeOf(before, conclusion)),
    });
    return { changed: result.changed, affected: 1, skipped: [], before, after: { state: result.after } };
  });
}

/**
 * A person settles an unknown outcome with evidence. A decision against a final source is refused: "failed" would free the
 * customer to pay twice.
 * @throws AppError `plan.needed` 409, `operation.not_unknown` 409, `operation.contradicted` 409, `validation.evidence` 422: nothing was changed
 */
export async function resolveAction(
  ctx: EngineContext,
  registry: OperationRegistry,
  request: ActionRequest,
  input: Omit<ResolveInput, "alongside">,
): Promise<ActionResult> {
  if (await belongsToService(ctx, input.operationId)) return askToResolve(ctx, request, input);
  return operatorTask(ctx, request, async (finish) => {
    const before = await readActionFacts(ctx, ctx.db.pool, input.operationId);
    await refuseContradiction(ctx, input);
    const act = await singleResolve(ctx, input);
    // Said before the operation is taken; counted where it settles, so that two at once do not pass together.
    if (act !== undefined) await inTransaction(ctx.db, (tx) => requireSingleAct(tx, ctx, act));
    const evidence = { decision: input.decision, evidence: input.evidence, providerReference: input.providerReference };
    const result = await resolveOperation(ctx, registry, {
      ...input,
      alongside: async (tx, conclusion) => {
        if (act !== undefined) await countSingleAct(tx, ctx, act);
        await finish(tx, outcomeOf(before, conclusion, evidence));
      },
    });
    const { changed, after: state } = result;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after: { state }, evidence };
  });
}

/** @returns what it counts for; nothing is settled by waiting */
async function singleResolve(
  ctx: EngineContext,
  { decision, operationId }: Pick<ResolveInput, "decision" | "operationId">,
): Promise<SingleAct | undefined> {
  if (decision === "keep_waiting") return undefined;
  const amount = (await operationAmounts(ctx.db.pool, ctx.tenantId, [operationId])).get(operationId);
  return { kind: "resolve", amount };
}

/** The same decision of an operation that another service owns: the person decides, the service settles. */
async function askToResolve(
  ctx: EngineContext,
  request: ActionRequest,
  { operationId, decision, evidence, providerReference }: Omit<ResolveInput, "alongside">,
): Promise<ActionResult> {
  if (decision === "keep_waiting")
    throw new AppError("operation.not_offered", 409, "There is nothing to keep waiting", {
      detail: "Nothing was changed.",
    });
  if (evidence.length === 0) throw noEvidence();
  await refuseContradiction(ctx, { operationId, decision });
  const act = await singleResolve(ctx, { decision, operationId });
  const ask = { operationId, action: "resolve", outcome: decision, evidence, providerReference } as const;
  return askService(ctx, request, ask, (tx) => (act === undefined ? Promise.resolve() : countSingleAct(tx, ctx, act)));
}

/**
 * Whoever asks looks after an open operation from now on, or nobody does. It holds nobody else off: recovery goes on.
 * @throws AppError `operation.not_found` 404, `operation.not_open` 409
 */
export async function assignOperation(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
  to: "me" | "nobody",
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const who = to === "me" ? actorRef(ctx.actor) : undefined;
    const done = await assignOperationRow(tx, ctx.tenantId, operationId, who);
    if (done === undefined) {
      await readActionFacts(ctx, tx, operationId);
      throw new AppError("operation.not_open", 409, "This operation is not open", {
        detail: "There is nothing left to look after. Nothing was changed.",
      });
    }
    // The audit keeps both: who it was, and what they were called then.
    const names = await actorNames(tx, ctx.tenantId, done.was === null ? [] : [done.was]);
    const before = { assignedTo: planName(names, done.was ?? undefined) ?? null, assignedToId: done.was };
    const after = { assignedTo: to === "me" ? ctx.actor.name : null, assignedToId: who ?? null };
    const changed = before.assignedToId !== after.assignedToId;
    return { changed, affected: changed ? 1 : 0, skipped: [], before, after };
  });
}
