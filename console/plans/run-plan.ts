import { actorNames } from "@/db/access/actor-names";
import {
  type ClaimedPlan,
  claimPlan,
  releasePlan,
  settlePlanItem,
  type WaitingItem,
  waitingItems,
} from "@/db/plans/run-plan";
import { markCanary } from "@/db/plans/canaries";
import { inTransaction } from "@/db/transaction";
import { CANARY_REST_MS } from "@/domain/plans/canary";
import { AppError } from "@/domain/errors";
import { PLAN_REST_MS, PLAN_ROWS_PER_TURN, type PlanKindName } from "@/domain/plans/plan";
import { mapDatabaseError } from "@/db/errors";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import { describeError } from "@/engine/telemetry/describe-error";
import type { Queryable } from "@/db/client";
import type { OperationRegistry } from "@/engine/execute/operation";
import { canaryGate, type CanaryGate } from "./canary";
import type { ItemOutcome, PlanActor, PlanKind, PlanKindAlone } from "./plan-kind";
import { PLAN_REGISTRY } from "./plan-kinds";

/** Far longer than a turn takes; a worker that dies gives its plan up after this. */
const PLAN_LEASE_MS = 30_000;
/** A turn begins no further row after this: a slow provider must not outlive the lease. */
const PLAN_TURN_MS = 15_000;

export interface PlanTurn extends Readonly<Record<string, number>> {
  readonly plans: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface RunPlanOptions {
  /** Other kinds than those of the product, for tests. */
  readonly kinds?: Readonly<Partial<Record<PlanKindName, PlanKind | PlanKindAlone>>> | undefined;
  /** What operations are made of, for kinds that settle them. */
  readonly registry?: OperationRegistry | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The plan is not ours any more: what the row did is rolled back. */
class PlanTaken extends Error {}

/**
 * One turn of one running plan: takes it for this process, lets some rows act, each in a transaction of its own together with its
 * end and its audit entry, and gives the plan back to rest. A process that dies leaves a lease that runs out; rows that ended
 * stay ended, so nothing acts twice.
 * @throws AppError when the database is away: rows wait, the lease runs out, somebody goes on
 */
export async function runPlan(ctx: EngineContext, options: RunPlanOptions = {}): Promise<PlanTurn> {
  const { pool } = ctx.db;
  const turn = { plans: 0, done: 0, skipped: 0, failed: 0 };
  const plan = await claimPlan(pool, ctx.tenantId, ctx.instance, PLAN_LEASE_MS);
  if (plan === undefined) return turn;
  turn.plans = 1;
  const kind = options.kinds?.[plan.kind] ?? PLAN_REGISTRY[plan.kind];
  const actor = await actorOf(ctx, plan);
  const began = performance.now();
  const gate = await canaryGate(ctx, plan);
  if (gate.kind === "stopped") {
    ctx.log.warn({ loop: "plans" }, "a plan has stopped: its canary failed");
    return turn;
  }
  const canary = gate.kind === "first";
  for (const item of await rowsOfTurn(ctx, plan, gate)) {
    if (options.signal?.aborted === true || performance.now() - began > PLAN_TURN_MS) break;
    const state = await runItem(ctx, { plan, kind, actor, registry: options.registry ?? NONE, canary }, item);
    if (state === "taken") return turn;
    if (state !== "later") turn[state] += 1;
  }
  const rest = options.signal?.aborted === true ? 0 : gate.kind === "open" ? PLAN_REST_MS : CANARY_REST_MS;
  if ((await releasePlan(pool, ctx.tenantId, plan, rest)) === "done")
    ctx.log.info({ loop: "plans" }, "a plan has ended");
  return turn;
}

/** What a turn may do: the next rows, only those that go first, or none while their answer is awaited. */
async function rowsOfTurn(ctx: EngineContext, plan: ClaimedPlan, gate: CanaryGate): Promise<readonly WaitingItem[]> {
  if (gate.kind === "first") return gate.items.slice(0, PLAN_ROWS_PER_TURN);
  return gate.kind === "open" ? waitingItems(ctx.db.pool, ctx.tenantId, plan.id, PLAN_ROWS_PER_TURN) : [];
}

interface Running {
  readonly plan: ClaimedPlan;
  readonly kind: PlanKind | PlanKindAlone;
  readonly actor: PlanActor;
  readonly registry: OperationRegistry;
  /** The row goes before the others, to see what becomes of it. */
  readonly canary: boolean;
}

/** Nothing is settled by whoever does not know what it is made of. */
const NONE: OperationRegistry = {
  provider: () => {
    throw new Error("this process knows no operations");
  },
};

async function runItem(
  ctx: EngineContext,
  running: Running,
  item: WaitingItem,
): Promise<"done" | "skipped" | "failed" | "taken" | "later"> {
  const { plan, kind, actor, registry, canary } = running;
  const { position } = item;
  let ended: ItemOutcome["state"] | undefined;
  const end = async (tx: Queryable, { state, outcome, audit: entry, sent = false }: ItemOutcome): Promise<void> => {
    if (!(await settlePlanItem(tx, ctx.tenantId, plan, { position, state, outcome }))) throw new PlanTaken();
    if (canary && sent && !(await markCanary(tx, ctx.tenantId, plan, position))) throw new PlanTaken();
    if (entry !== undefined) await audit(ctx, tx, entry);
    ended = state;
  };
  try {
    if ("actAlone" in kind) {
      const rest = await kind.actAlone(ctx, registry, actor, item.targetId, end);
      // What ended in the settling transaction has ended; what waits for another turn has not.
      if (ended !== undefined || rest === undefined) return ended ?? "later";
      await inTransaction(ctx.db, (tx) => end(tx, rest));
      return rest.state;
    }
    return await inTransaction(ctx.db, async (tx) => {
      const outcome = await kind.act(tx, ctx, actor, item.targetId);
      await end(tx, outcome);
      return outcome.state;
    });
  } catch (error) {
    if (error instanceof PlanTaken) return "taken";
    const known = mapDatabaseError(error);
    if (known instanceof AppError && known.retryable) throw known;
    const { code, text } = describeError(plan.kind, error, "plan.item");
    ctx.log.warn({ err: error, loop: "plans" }, "a row of a plan failed");
    const outcome = `${code}: ${text}`;
    const settled = await settlePlanItem(ctx.db.pool, ctx.tenantId, plan, { position, state: "failed", outcome });
    return settled ? "failed" : "taken";
  }
}

async function actorOf(ctx: EngineContext, plan: ClaimedPlan): Promise<PlanActor> {
  const ref = plan.startedBy ?? "";
  const names = await actorNames(ctx.db.pool, ctx.tenantId, [ref]);
  return { planId: plan.id, startedBy: names.get(ref) ?? ref, reason: plan.reason };
}
