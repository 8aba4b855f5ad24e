import type { Hono } from "hono";
import { parsePlanFilters, parsePlanItemFilters } from "@/presentation/filters/parsers";
import type { Action } from "@/domain/access/permission";
import type { ActionAnswer, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { abortPlan, decidePlan, startPlan } from "@/console/plans/decide-plan";
import { createPlan } from "@/console/plans/create-plan";
import { listApprovals } from "@/console/plans/list-approvals";
import { listPlans } from "@/console/plans/list-plans";
import { readPlan } from "@/console/plans/read-plan";
import { AppError } from "@/domain/errors";
import { formatCount } from "@/presentation/format/display-time";
import type { AdminEnv } from "../env";
import type { JsonResponse } from "../profiles/plain";
import { actionAnswer, idOf, requestOf } from "./action-answer";
import { noBody, reasonBody } from "./action-bodies";
import { act, list, read, type AdminCall } from "./declare";
import { decideBody, planBody, scopeOfBody } from "./plan-bodies";

const NEW = { type: "plan", id: "new" } as const;

const STEP_ERRORS = ["plan.not_found", "plan.state"];

/** Bulk work: make a plan, look at it, agree or not, start it, abort it, and plan again what it left. */
export function registerPlans(app: Hono<AdminEnv>): void {
  list(app, "/plans", { id: "listPlans", summary: "Plans", filters: parsePlanFilters, paged: true }, (c, input) =>
    listPlans(c.get("ctx"), input),
  );
  const plan = {
    id: "readPlan",
    summary: "A plan and its rows",
    filters: parsePlanItemFilters,
    paged: true,
    notFound: "plan",
  };
  list(app, "/plans/:id", plan, (c, input) => readPlan(c.get("ctx"), { id: c.req.param("id") ?? "", ...input }));
  read(app, "/approvals", { id: "listApprovals", summary: "Plans that wait for a second person" }, (c) =>
    listApprovals(c.get("ctx")),
  );
  const create = {
    id: "createPlan",
    summary: "Freeze what a bulk action is about",
    body: planBody,
    errors: ["plan.nothing", "plan.too_many", "validation.filter"],
  };
  act(app, "/plans", create, async (c, body) => {
    const scope = scopeOfBody(body, new Date().toISOString());
    // What is wanted, not when: the same request again is the same command.
    const { reason: _reason, ...scoped } = body;
    const input = { kind: body.kind, scope: JSON.stringify(scoped) };
    const request = requestOf(c, "plans.create", NEW, body.reason, input);
    return planAnswer(c, await createPlan(c.get("ctx"), request, { kind: body.kind, scope }));
  });
  const rerun = {
    id: "rerunPlan",
    summary: "Plan again what a plan left",
    body: reasonBody,
    errors: ["plan.not_found", "plan.state", "plan.nothing"],
  };
  act(app, "/plans/:id/rerun", rerun, async (c, { reason }) => {
    const scope = { by: "rerun", of: planId(c) } as const;
    const request = requestOf(c, "plans.create", NEW, reason, { scope: JSON.stringify(scope) });
    // The kind is that of the plan whose rest this is.
    return planAnswer(c, await createPlan(c.get("ctx"), request, { kind: "requeue_dead_letters", scope }));
  });
  registerSteps(app);
}

function registerSteps(app: Hono<AdminEnv>): void {
  const start = { id: "startPlan", summary: "Start a plan", body: noBody, bodyOptional: true, errors: STEP_ERRORS };
  act(app, "/plans/:id/start", start, async (c, body) => {
    const id = planId(c);
    return stepAnswer(c, await startPlan(c.get("ctx"), about(c, "plans.start", id, body?.reason), id));
  });
  const decide = {
    id: "decidePlan",
    summary: "Agree to a plan of somebody else, or not",
    body: decideBody,
    errors: [...STEP_ERRORS, "plan.own_request", "auth.person_only"],
  };
  act(app, "/plans/:id/decide", decide, async (c, { decision, start, reason }) => {
    if (decision === "reject" && reason === undefined) throw needsReason();
    const id = planId(c);
    const request = about(c, "plans.decide", id, reason, { decision, start: String(start) });
    return stepAnswer(c, await decidePlan(c.get("ctx"), request, id, { decision, start }));
  });
  const abort = { id: "abortPlan", summary: "End a plan; its rest stays", body: reasonBody, errors: STEP_ERRORS };
  act(app, "/plans/:id/abort", abort, async (c, { reason }) => {
    const id = planId(c);
    return stepAnswer(c, await abortPlan(c.get("ctx"), about(c, "plans.abort", id, reason), id));
  });
}

function planId(c: AdminCall): string {
  return idOf(c, "plan.not_found");
}

function about(
  c: AdminCall,
  action: Action,
  id: string,
  reason: string | undefined,
  input: ActionRequest["input"] = {},
): ActionRequest {
  return requestOf(c, action, { type: "plan", id }, reason, input);
}

function needsReason(): AppError {
  return new AppError("validation.body", 422, "The body is not valid", {
    detail: "Say why it is rejected. Nothing was recorded.",
    extensions: { errors: [{ path: "reason", message: "say why" }] },
  });
}

/** Where the new plan is, and in words what was frozen. */
function planAnswer(
  c: AdminCall,
  result: ActionResult,
): JsonResponse<ActionAnswer & { message: string; href: string }> {
  const { planId: id, total, acting } = result.answer.after;
  const message = `${formatCount(Number(total))} frozen, ${formatCount(Number(acting))} would act.`;
  return actionAnswer(c, result, { message, href: `/plans/${String(id)}` });
}

const DONE_TEXTS: Readonly<Record<string, string>> = {
  running: "It runs.",
  ready: "It is approved.",
  rejected: "It is rejected.",
  aborted: "It is aborted.",
};

function stepAnswer(c: AdminCall, result: ActionResult): JsonResponse<ActionAnswer & { message: string }> {
  const { state, untouched } = result.answer.after;
  const left = typeof untouched === "number" ? ` ${untouchedWords(untouched)}` : "";
  return actionAnswer(c, result, { message: `${DONE_TEXTS[String(state)] ?? "Done."}${left}` });
}

function untouchedWords(count: number): string {
  return count === 1 ? "1 row stays untouched." : `${formatCount(count)} rows stay untouched.`;
}
