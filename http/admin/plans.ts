import type { Context, Handler, Hono } from "hono";
import { parsePlanFilters, parsePlanItemFilters } from "@/domain/filters/plans";
import type { Action } from "@/domain/permission";
import type { ActionRequest, ActionResult } from "@/engine/action-answer";
import { abortPlan } from "@/engine/plan/abort-plan";
import { createPlan } from "@/engine/plan/create-plan";
import { decidePlan } from "@/engine/plan/decide-plan";
import { listApprovals } from "@/engine/plan/list-approvals";
import { listPlans } from "@/engine/plan/list-plans";
import { readPlan } from "@/engine/plan/read-plan";
import { startPlan } from "@/engine/plan/start-plan";
import { AppError } from "@/domain/errors";
import { formatCount } from "@/domain/display-time";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { jsonAnswer } from "../profiles/plain";
import { noBody, reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf, idOf, requestOf } from "./actions";
import { decideBody, planBody, scopeOfBody } from "./plan-bodies";
import { found, searchOf, understood } from "./read-input";

const NEW = { type: "plan", id: "new" } as const;

/** Bulk work (C.6): make a plan, look at it, agree or not, start it, abort it, and plan again what it left. */
export function registerPlans(app: Hono<AdminEnv>): void {
  app.get("/plans", async (c) => {
    const { filters, cursor } = understood(parsePlanFilters(searchOf(c)));
    return jsonAnswer(c, await listPlans(c.get("ctx"), { filters, cursor }));
  });
  app.get("/plans/:id", async (c) => {
    const { filters, cursor } = understood(parsePlanItemFilters(searchOf(c)));
    return jsonAnswer(c, found(await readPlan(c.get("ctx"), { id: c.req.param("id"), filters, cursor }), "plan"));
  });
  app.get("/approvals", async (c) => jsonAnswer(c, await listApprovals(c.get("ctx"))));
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(path, needsKey(handler));
  };
  post("/plans", async (c) => {
    const body = await bodyOf(c, planBody);
    const scope = scopeOfBody(body, new Date().toISOString());
    // What was asked, not when: a second click is the same command.
    const { reason: _reason, ...asked } = body;
    const input = { kind: body.kind, scope: JSON.stringify(asked) };
    const request = requestOf(c, "plans.create", NEW, body.reason, input);
    return planAnswer(c, await createPlan(c.get("ctx"), request, { kind: body.kind, scope }));
  });
  post("/plans/:id/rerun", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const scope = { by: "rerun", of: planId(c) } as const;
    const request = requestOf(c, "plans.create", NEW, reason, { scope: JSON.stringify(scope) });
    // The kind is that of the plan whose rest this is.
    return planAnswer(c, await createPlan(c.get("ctx"), request, { kind: "requeue_dead_letters", scope }));
  });
  post("/plans/:id/start", async (c) => {
    const body = await bodyOf(c, noBody, { optional: true });
    const id = planId(c);
    return stepAnswer(c, await startPlan(c.get("ctx"), about(c, "plans.start", id, body?.reason), id));
  });
  post("/plans/:id/decide", async (c) => {
    const { decision, start, reason } = await bodyOf(c, decideBody);
    if (decision === "reject" && reason === undefined) throw needsReason();
    const id = planId(c);
    const request = about(c, "plans.decide", id, reason, { decision, start: String(start) });
    return stepAnswer(c, await decidePlan(c.get("ctx"), request, id, { decision, start }));
  });
  post("/plans/:id/abort", async (c) => {
    const { reason } = await bodyOf(c, reasonBody);
    const id = planId(c);
    return stepAnswer(c, await abortPlan(c.get("ctx"), about(c, "plans.abort", id, reason), id));
  });
}

function planId(c: Context<AdminEnv>): string {
  return idOf(c, "plan.not_found");
}

function about(
  c: Context<AdminEnv>,
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
function planAnswer(c: Context<AdminEnv>, result: ActionResult): Response {
  const { planId: id, total, acting } = result.answer.after;
  const message = `${formatCount(Number(total))} frozen, ${formatCount(Number(acting))} would act.`;
  return actionAnswer(c, result, { message, href: `/plans/${String(id)}` });
}

const SAID: Readonly<Record<string, string>> = {
  running: "It runs.",
  ready: "It is approved.",
  rejected: "It is rejected.",
  aborted: "It is aborted.",
};

function stepAnswer(c: Context<AdminEnv>, result: ActionResult): Response {
  const { state, untouched } = result.answer.after;
  const left = typeof untouched === "number" ? ` ${untouchedWords(untouched)}` : "";
  return actionAnswer(c, result, { message: `${SAID[String(state)] ?? "Done."}${left}` });
}

function untouchedWords(count: number): string {
  return count === 1 ? "1 row stays untouched." : `${formatCount(count)} rows stay untouched.`;
}
