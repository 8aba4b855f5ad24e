import { actorNames } from "@/db/access/actor-names";
import { selectPlan } from "@/db/plans/select-plans";
import { AppError } from "@/domain/errors";
import { RESOLVE_KIND } from "@/domain/plans/plan";
import { SETTLED_DECLINED, SETTLED_MEANWHILE, SETTLED_SUCCEEDED } from "@/domain/plans/plan-results";
import { resolutionOfPlan, type PlanResolution } from "@/domain/plans/resolution";
import { readActionFacts } from "@/console/actions/action-facts";
import { outcomeOf } from "@/console/actions/operation-actions";
import { refuseContradiction } from "@/console/actions/refuse-contradiction";
import type { Conclusion } from "@/engine/execute/conclude-provider";
import type { EngineContext } from "@/engine/context";
import { resolveOperation } from "@/engine/recover/resolve";
import { freezeOperations, judgeOperation, JUDGES } from "../operation-plans";
import type { ItemOutcome, PlanActor, PlanKindAlone } from "../plan-kind";

/** One operation settled as a person decided and a second one approved: by the rules of a decision that one person makes alone. */
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
    const before = await readActionFacts(ctx, pool, targetId);
    const names = await actorNames(pool, ctx.tenantId, [plan.createdBy]);
    const decidedBy = names.get(plan.createdBy) ?? plan.createdBy;
    try {
      // What the operation's history names is who decided, not the worker.
      const as: EngineContext = { ...ctx, actor: { ...ctx.actor, name: decidedBy } };
      await resolveOperation(as, registry, {
        ...resolution,
        operationId: targetId,
        reason: actor.reason,
        alongside: (tx, conclusion) => end(tx, outcomeOfRow({ actor, resolution, decidedBy }, before, conclusion)),
      });
      return undefined;
    } catch (error) {
      // Somebody holds it now, or was faster: the row is judged again in another turn.
      if (error instanceof AppError && error.code === "operation.not_unknown") return undefined;
      throw error;
    }
  },
};

const NO_DECISION = "The plan holds no decision about it.";

interface Decided {
  readonly actor: PlanActor;
  readonly resolution: PlanResolution;
  readonly decidedBy: string;
}

function outcomeOfRow(
  { actor, resolution, decidedBy }: Decided,
  before: Parameters<typeof outcomeOf>[0],
  conclusion: Conclusion,
): ItemOutcome {
  const facts = outcomeOf(before, conclusion);
  const { resolves: id, decision, evidence, providerReference } = resolution;
  return {
    state: "done",
    outcome: decision === "succeeded" ? SETTLED_SUCCEEDED : SETTLED_DECLINED,
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
