import { actorNames } from "@/db/access/actor-names";
import type { Queryable } from "@/db/client";
import { selectPlan } from "@/db/plans/select-plans";
import { AppError } from "@/domain/errors";
import { RESOLVE_KIND } from "@/domain/plans/plan";
import { ASKED_OF_SERVICE, SETTLED_DECLINED, SETTLED_MEANWHILE, SETTLED_SUCCEEDED } from "@/domain/plans/plan-results";
import { resolutionOfPlan, type PlanResolution } from "@/domain/plans/resolution";
import { readActionFacts } from "@/console/actions/action-facts";
import { outcomeOf } from "@/console/actions/operation-actions";
import { refuseContradiction } from "@/console/actions/refuse-contradiction";
import { recordRequest } from "@/console/actions/service-requests";
import { inTransaction } from "@/db/transaction";
import { type ActionOutcome, changedOutcome } from "@/engine/actions/action-answer";
import type { Conclusion } from "@/engine/execute/conclude-provider";
import type { EngineContext } from "@/engine/context";
import { resolveOperation } from "@/engine/recover/resolve";
import { freezeOperations, judgeOperation, JUDGES } from "../operation-plans";
import type { ItemOutcome, PlanActor, PlanKindAlone } from "../plan-kind";

/**
 * One operation settled as a person decided and a second one approved: by the rules of a decision that one person makes alone. Of one
 * that a service owns, the service is asked.
 */
export const resolveOperations: PlanKindAlone = {
  name: RESOLVE_KIND,
  freeze: (q, ctx, scope, limit) => freezeOperations(q, ctx, JUDGES.resolve, scope, limit),
  async actAlone(ctx, registry, actor, targetId, end) {
    const { pool } = ctx.db;
    const judged = await judgeOperation(pool, ctx, JUDGES.resolve, targetId);
    if (judged.verdict === "leased") return undefined;
    if (judged.verdict === "settled") return { state: "skipped", outcome: `${SETTLED_MEANWHILE}: ${judged.why}` };
    if (!judged.acts) return { state: "skipped", outcome: judged.why };
    const plan = await selectPlan(pool, ctx.tenantId, actor.planId);
    const resolution = plan && resolutionOfPlan(plan.filter);
    if (plan === undefined || resolution?.resolves !== targetId) return { state: "skipped", outcome: NO_DECISION };
    // A source may have spoken since it was asked for.
    await refuseContradiction(ctx, resolution);
    const names = await actorNames(pool, ctx.tenantId, [plan.createdBy]);
    const decidedBy = names.get(plan.createdBy) ?? plan.createdBy;
    const decided = { actor, resolution, decidedBy };
    try {
      if (judged.verdict === "ask_service") {
        await inTransaction(ctx.db, (tx) => askOwner(tx, ctx, decided, plan.createdBy, end));
        return undefined;
      }
      const before = await readActionFacts(ctx, pool, targetId);
      // What the operation's history names is who decided, not the worker.
      const as: EngineContext = { ...ctx, actor: { ...ctx.actor, name: decidedBy } };
      await resolveOperation(as, registry, {
        ...resolution,
        operationId: targetId,
        reason: actor.reason,
        alongside: (tx, conclusion) => end(tx, outcomeOfRow(decided, before, conclusion)),
      });
      return undefined;
    } catch (error) {
      // Somebody holds it now, or was faster: the row is judged again in another turn.
      if (error instanceof AppError && TAKEN.includes(error.code)) return undefined;
      throw error;
    }
  },
};

/** Codes that say so of an operation of ours and of a service's. */
const TAKEN: readonly string[] = ["operation.not_unknown", "operation.not_open"];
const NO_DECISION = "The plan holds no decision about it.";

interface Decided {
  readonly actor: PlanActor;
  readonly resolution: PlanResolution;
  readonly decidedBy: string;
}

/** @param createdBy `kind:id` of who decided */
async function askOwner(
  tx: Queryable,
  ctx: EngineContext,
  decided: Decided,
  createdBy: string,
  end: (tx: Queryable, outcome: ItemOutcome) => Promise<void>,
): Promise<void> {
  const { resolves: operationId, decision: outcome, evidence, providerReference } = decided.resolution;
  const by = { askedBy: createdBy, person: decided.decidedBy, reason: decided.actor.reason };
  const ask = { operationId, action: "resolve", outcome, evidence, providerReference } as const;
  const { before, after } = await recordRequest(tx, ctx, ask, by);
  await end(tx, rowDone(decided, ASKED_OF_SERVICE, changedOutcome(before, after)));
}

function outcomeOfRow(decided: Decided, before: Parameters<typeof outcomeOf>[0], conclusion: Conclusion): ItemOutcome {
  const words = decided.resolution.decision === "succeeded" ? SETTLED_SUCCEEDED : SETTLED_DECLINED;
  return rowDone(decided, words, outcomeOf(before, conclusion));
}

function rowDone({ actor, resolution, decidedBy }: Decided, outcome: string, facts: ActionOutcome): ItemOutcome {
  const { resolves: id, decision, evidence, providerReference } = resolution;
  return {
    state: "done",
    outcome,
    audit: {
      action: "operations.resolve",
      subject: { type: "operation", id },
      reason: actor.reason,
      before: facts.before,
      after: { ...facts.after, changed: facts.changed, affected: facts.affected, skipped: [] },
      evidence: {
        planId: actor.planId,
        startedBy: actor.startedBy,
        decidedBy,
        decision,
        evidence,
        ...(providerReference !== undefined && { providerReference }),
      },
    },
  };
}
