import type { Queryable } from "@/db/client";
import { keepSingleAct, weighPlan } from "@/db/second-person/weigh-plan";
import { AppError } from "@/domain/errors";
import type { PlanAmount, PlanKindName } from "@/domain/plans/plan";
import { actorRef } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { approvalNeeded } from "@/presentation/plan/plan-approval";
import { tieDaysOf } from "./own-plan";

interface SingleKind {
  /** Whose thresholds hold. */
  readonly like: PlanKindName;
  /** What is weighed together with it. */
  readonly lane: string;
  readonly instead: string;
}

const WITH_A_PLAN = "Make a plan of what is left: a second person approves it.";

/** What somebody does to one row and cannot take back, as a plan of the same would be weighed. */
const SINGLE_KINDS = {
  resolve: {
    like: "reconcile_operations",
    lane: "resolve_operations",
    instead: "Ask a second person to approve the decision, or make a plan that asks the provider about what is left.",
  },
  discard: { like: "discard_dead_letters", lane: "discard_dead_letters", instead: WITH_A_PLAN },
  republish: { like: "republish_messages", lane: "republish_messages", instead: WITH_A_PLAN },
  discard_attached: { like: "discard_attached", lane: "discard_attached", instead: WITH_A_PLAN },
  purge_attached: { like: "purge_attached", lane: "purge_attached", instead: WITH_A_PLAN },
  purge: { like: "purge_bodies", lane: "purge_bodies", instead: WITH_A_PLAN },
} as const satisfies Readonly<Record<string, SingleKind>>;

export interface SingleAct {
  readonly kind: keyof typeof SINGLE_KINDS;
  /** What the row stands for. */
  readonly amount: PlanAmount | undefined;
  /** Of an act on several rows at once: how many it may change at most; 1 when left out. */
  readonly rows?: number | undefined;
}

/**
 * Counts what somebody did to one row towards the threshold from which a plan of it needs a second person, together with what the same
 * person did one by one and has in plans. In the transaction that acts, after the act: a refusal undoes both. Acts of a kind in a tenant
 * are counted one after the other until their commits.
 * @throws AppError `plan.needed` 409
 */
export async function countSingleAct(tx: Queryable, ctx: EngineContext, act: SingleAct): Promise<void> {
  await requireSingleAct(tx, ctx, act);
  const { tenantId } = ctx;
  await keepSingleAct(tx, {
    tenantId,
    kind: SINGLE_KINDS[act.kind].lane,
    actor: actorRef(ctx.actor),
    amount: act.amount,
    rows: act.rows ?? 1,
  });
}

/**
 * Says it before anything is touched; {@link countSingleAct} decides.
 * @throws AppError `plan.needed` 409
 */
export async function requireSingleAct(tx: Queryable, ctx: EngineContext, act: SingleAct): Promise<void> {
  const { kind, amount, rows = 1 } = act;
  const { like, lane, instead } = SINGLE_KINDS[kind];
  const others = await weighPlan(tx, {
    ...{ tenantId: ctx.tenantId, kind: lane, actor: actorRef(ctx.actor), targets: [] },
    tieDays: tieDaysOf(ctx),
  });
  const here = { acting: rows, amounts: amount === undefined ? [] : [amount] };
  const needed = approvalNeeded(like, here, others);
  if (needed === undefined) return;
  throw new AppError("plan.needed", 409, "This is too much for one person alone", {
    detail: `Nothing was changed. ${needed} ${instead}`,
  });
}
