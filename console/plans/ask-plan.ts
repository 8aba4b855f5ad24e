import { v7 as uuidv7 } from "uuid";
import {
  askPlanRow,
  type ClaimedLookUps,
  claimPlanLookUps,
  keepPlanLookUp,
  type KeptLookUp,
  releasePlanLookUps,
  unaskedItems,
} from "@/db/plans/look-ups";
import { operationPlanFacts, type OperationPlanRow } from "@/db/plans/operation-plan-facts";
import type { WaitingItem } from "@/db/plans/run-plan";
import { LOOK_UP_REST_MS, LOOK_UPS_AT_ONCE, LOOK_UPS_PER_TURN } from "@/domain/plans/look-ups";
import { PLAN_RULES } from "@/domain/plans/plan";
import { withConcurrency } from "@/domain/with-concurrency";
import { changedOutcome, type ActionRequest, type ActionResult } from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { crashPoint } from "@/engine/crash-point";
import { findingOf } from "@/engine/execute/conclude-provider";
import type { OperationRegistry } from "@/engine/execute/operation";
import { foreseeReconcile } from "@/engine/recover/foresee";
import { planNotFound, planState, planWithOpenItems, stepRefused } from "./open-items";
import { judgedBy, JUDGES, planFactsOf } from "./operation-plans";

/** Longer than a turn of look-ups takes; a worker that dies gives them up after this. */
const LOOK_UPS_LEASE_MS = 60_000;

export interface LookUpTurn extends Readonly<Record<string, number>> {
  readonly plans: number;
  readonly asked: number;
}

/**
 * One turn of the look-ups of one plan: takes them for this process, asks about a few rows, and gives them back to rest. What each learned is
 * kept at once, so a process that dies leaves the other rows to whoever takes over; nothing is settled and no money is sent.
 * @throws AppError when the database is away: rows wait, the lease runs out, somebody goes on
 */
export async function askPlan(
  ctx: EngineContext,
  { registry, signal }: { readonly registry: OperationRegistry; readonly signal?: AbortSignal | undefined },
): Promise<LookUpTurn> {
  const { pool } = ctx.db;
  const plan = await claimPlanLookUps(pool, ctx.tenantId, ctx.instance, LOOK_UPS_LEASE_MS);
  if (plan === undefined) return { plans: 0, asked: 0 };
  const items = await unaskedItems(pool, ctx.tenantId, plan.id, LOOK_UPS_PER_TURN);
  const ids = items.map(({ targetId }) => targetId);
  const facts = new Map((await operationPlanFacts(pool, ctx.tenantId, ids)).map((row) => [row.operationId, row]));
  const by = await judgedBy(ctx);
  let asked = 0;
  let taken = false;
  const ended = await withConcurrency(LOOK_UPS_AT_ONCE, items, async (item) => {
    if (taken || signal?.aborted === true) return;
    const row = facts.get(item.targetId);
    const judged = JUDGES.reconcile(row === undefined ? undefined : planFactsOf(row, by));
    const { position } = item;
    const learned: KeptLookUp = judged.acts
      ? await lookUp(ctx, registry, row, item)
      : { position, answer: "not_asked", detail: judged.why };
    if (await keep(ctx, plan, learned)) asked += 1;
    else taken = true;
  });
  await releasePlanLookUps(pool, ctx.tenantId, plan, signal?.aborted === true ? 0 : LOOK_UP_REST_MS);
  const failed = ended.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return { plans: 1, asked };
}

async function keep(ctx: EngineContext, plan: ClaimedLookUps, learned: KeptLookUp): Promise<boolean> {
  crashPoint("R4");
  return keepPlanLookUp(ctx.db.pool, ctx.tenantId, plan, learned);
}

async function lookUp(
  ctx: EngineContext,
  registry: OperationRegistry,
  row: OperationPlanRow | undefined,
  { position }: WaitingItem,
): Promise<KeptLookUp> {
  if (row?.providerKey === undefined || row.stage === undefined)
    return { position, answer: "not_asked", detail: "nothing was sent" };
  const { operationId, operation, key, providerKey, stage, ageMs } = row;
  const sent = { operationId, operation, key, providerKey, stage, ageMs };
  const { answer, detail, asked } = await foreseeReconcile(ctx, registry, sent);
  if (asked === undefined) return { position, answer, detail };
  const { provider, reply, tookMs } = asked;
  return {
    position,
    answer,
    detail,
    asked: {
      journal: uuidv7(),
      providerKey,
      provider,
      outcome: reply.kind,
      reference: "reference" in reply ? reply.reference : undefined,
      finding: findingOf(reply),
      tookMs,
    },
  };
}

/**
 * Asks the provider again about every row that has no final answer. It settles nothing, so nobody has to agree to it.
 * @throws AppError `plan.not_found` 404, `plan.state` 409 once it was started or has ended, where every row has its answer, and for a plan
 * that asks nobody
 */
export async function askPlanAgain(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const { plan, waiting } = await planWithOpenItems(tx, ctx, id);
    if (!PLAN_RULES[plan.kind].asks) throw planState(plan.state, "This kind of plan asks no provider.");
    const result = await askPlanRow(tx, ctx.tenantId, id);
    if (result === undefined) throw planNotFound();
    if (result === "answered") throw planState(plan.state, "Every row has its answer.");
    if (result !== "asking") throw stepRefused("ask", result);
    return changedOutcome({ lookUps: plan.lookUps ?? null }, { state: plan.state, lookUps: "asking" }, waiting);
  });
}
