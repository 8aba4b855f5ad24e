import type { Queryable } from "@/db/client";
import { itemsToRun } from "@/db/plans/create-plan";
import { abortPlanRow, decidePlanRow, requirePlanApproval, startPlanRow } from "@/db/plans/decide-plan";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { AppError } from "@/domain/errors";
import { CORRECTION_KIND, EXPIRED_WORDS, PLAN_RULES, unitsOf, type SamePerson } from "@/domain/plans/plan";
import { changedOutcome, type ActionRequest, type ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import { requireConfirmation } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { tiedWords, tieDaysOf } from "../second-person/own-plan";
import { sendCorrection } from "./send-correction";
import { personOnly, planNotFound, planState, planWithOpenItems, stepRefused } from "./open-items";
import { whyTwoPeople } from "../second-person/why-two-people";

export interface PlanDecision {
  readonly decision: "approve" | "reject";
  /** Approving also starts it: what its requester, who may act, planned waits for this word only. */
  readonly start: boolean;
}

/**
 * The second person's word. Whoever asked for the plan cannot give it, whatever their role, and whether they asked by themselves
 * or with a key; nor can a program, which whoever asked may hold the key of.
 * A correction is sent with the approval, in the same transaction: both or neither.
 * @throws AppError `auth.person_only` 403, `plan.own_request`, `plan.tied_person`, `plan.unknown_holder` 403, `plan.not_found` 404, `plan.state` 409; of a correction
 * `correction.not_possible` 409, `correction.body_purged` 409
 */
export async function decidePlan(
  ctx: EngineContext,
  request: ActionRequest,
  id: string,
  { decision, ...wish }: PlanDecision,
): Promise<ActionResult> {
  if (ctx.actor.kind === "client") throw personOnly();
  return operatorAction(ctx, request, async (tx) => {
    const { plan, waiting, toRun } = await planWithOpenItems(tx, ctx, id);
    const approve = decision === "approve";
    const corrects = approve && plan.kind === CORRECTION_KIND;
    const start = corrects || wish.start;
    if (approve && start) requireConfirmation(ctx, PLAN_RULES[plan.kind].permission);
    const actor = actorRef(ctx.actor);
    const { reason } = request;
    const tieDays = tieDaysOf(ctx);
    const result = await decidePlanRow(tx, ctx.tenantId, id, { approve, start, actor, reason, tieDays });
    if (result === undefined) throw planNotFound();
    if (result === "no_person") throw personOnly();
    if (result === "expired") throw planState(plan.state, EXPIRED_WORDS);
    if (result === "own" || result === "tied" || result === "anybody")
      throw await notSecondPerson(tx, ctx, plan, result);
    if (result !== "decided") throw stepRefused("decide", result);
    if (corrects)
      return changedOutcome(
        { state: plan.state },
        { state: "done", decision, ...(await sendCorrection(tx, ctx, plan)) },
      );
    const state = approve ? (start ? "running" : "ready") : "rejected";
    return changedOutcome({ state: plan.state }, { state, decision, ...leftOutFacts(waiting, toRun) }, toRun);
  });
}

/** Whoever decides is no second person: which way it is says the code, and of a tie the sentence. */
async function notSecondPerson(
  tx: Queryable,
  ctx: EngineContext,
  plan: PlanDbRow,
  same: SamePerson,
): Promise<AppError> {
  const [code, detail] = await whyNotSecond(tx, ctx, plan, same);
  return new AppError(code, 403, "Another person must approve", { detail: `Nothing was changed. ${detail}` });
}

async function whyNotSecond(
  tx: Queryable,
  ctx: EngineContext,
  plan: PlanDbRow,
  same: SamePerson,
): Promise<readonly [code: string, detail: string]> {
  switch (same) {
    case "own":
      return [
        "plan.own_request",
        "Whoever asks for a plan, also with a key of a client that they made or hold a key of, cannot approve or reject it; abort it instead.",
      ];
    case "tied":
      return ["plan.tied_person", await tiedWords(tx, ctx, plan.createdBy)];
    case "anybody":
      return [
        "plan.unknown_holder",
        "It was asked for with a key that names no holder, so that anybody may have asked. Ask for it again with a key that has one.",
      ];
  }
}

/** Rows that the run leaves out, because the dry run found no final answer, are named in the audit. */
const leftOutFacts = (waiting: number, toRun: number) => (waiting === toRun ? {} : { leftOut: waiting - toRun });

/**
 * Lets the worker run a plan. It is weighed again first: whoever asked for it may stand behind more by now than when it was made. Where that
 * needs a second person, nothing runs and the plan waits for one; what was agreed to is not weighed again.
 * @throws AppError `auth.step_up_required` 403 for a plan that purges, `plan.not_found` 404, `plan.state` 409 when it waits for
 * approval, runs, has ended or would do nothing
 */
export async function startPlan(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const { plan, waiting, toRun } = await planWithOpenItems(tx, ctx, id);
    requireConfirmation(ctx, PLAN_RULES[plan.kind].permission);
    if (toRun === 0 && plan.state === "ready") throw planState("ready", `None of its ${unitsOf(plan.kind)} would act.`);
    const needed = await whyTwoPeopleNow(tx, ctx, plan);
    if (needed !== undefined) {
      const after = { state: "awaiting_approval", approvalNeeded: needed };
      return changedOutcome({ state: plan.state }, after, 0);
    }
    const result = await startPlanRow(tx, ctx.tenantId, id, actorRef(ctx.actor));
    if (result === undefined) throw planNotFound();
    if (result === "expired") throw planState(plan.state, EXPIRED_WORDS);
    if (result !== "started") throw stepRefused("start", result);
    return changedOutcome({ state: plan.state }, { state: "running", ...leftOutFacts(waiting, toRun) }, toRun);
  });
}

/** @returns why it waits for a second person from now on */
async function whyTwoPeopleNow(tx: Queryable, ctx: EngineContext, plan: PlanDbRow): Promise<string | undefined> {
  const { id, kind, state, decidedAt, createdBy: actor } = plan;
  if (state !== "ready" || decidedAt !== undefined) return undefined;
  const { tenantId } = ctx;
  const items = await itemsToRun(tx, tenantId, id);
  const needed = await whyTwoPeople(tx, { tenantId, kind, actor, items, tieDays: tieDaysOf(ctx) });
  return needed !== undefined && (await requirePlanApproval(tx, tenantId, id, needed)) ? needed : undefined;
}

/**
 * Ends a plan where it is: what has not acted stays untouched.
 * @throws AppError `plan.not_found` 404, `plan.state` 409 when it has ended
 */
export async function abortPlan(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const { plan } = await planWithOpenItems(tx, ctx, id);
    const result = await abortPlanRow(tx, ctx.tenantId, id, actorRef(ctx.actor));
    if (result === undefined) throw planNotFound();
    if (result !== "stopped") throw stepRefused("abort", result);
    // Counted after the abort, which waited for a row that was under way.
    const { waiting } = await planWithOpenItems(tx, ctx, id);
    return changedOutcome({ state: plan.state }, { state: "aborted", untouched: waiting }, waiting);
  });
}
