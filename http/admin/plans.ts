import type { Hono } from "hono";
import { parsePlanFilters, parsePlanItemFilters } from "@/presentation/filters/parsers";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { askPlanAgain } from "@/console/plans/ask-plan";
import { abortPlan, decidePlan, startPlan } from "@/console/plans/decide-plan";
import { createPlan } from "@/console/plans/create-plan";
import { listApprovals } from "@/console/plans/list-approvals";
import { listPlans } from "@/console/plans/list-plans";
import { readPlan } from "@/console/plans/read-plan";
import { AppError } from "@/domain/errors";
import { formatCount } from "@/presentation/format/display-time";
import type { AdminEnv } from "../env";
import { actionAnswer, idOf, requestOf } from "./action-answer";
import { noBody, reasonBody } from "./action-bodies";
import { act, list, read, type ActionCall, type AdminCall } from "./declare";
import { decideBody, planBody, scopeOfBody } from "./plan-bodies";

const NEW = { type: "plan", id: "new" } as const;

/** Of an attached database that is asked for its rows. */
const THEIRS = [
  "attach.host_not_allowed",
  "attach.unreachable",
  "attach.read_failed",
  "attach.not_installed",
  "attach.manifest",
];
const STEP_ERRORS = ["plan.not_found", "plan.state"];

/** Bulk work: make a plan, look at it, agree or not, start it, abort it, and plan again what it left. */
export function registerPlans(app: Hono<AdminEnv>): void {
  const plans = { id: "listPlans", summary: "Plans", filters: parsePlanFilters, paged: true };
  list(app, "plans.read", "/plans", plans, listPlans);
  const plan = {
    id: "readPlan",
    summary: "A plan and its rows",
    filters: parsePlanItemFilters,
    paged: true,
    notFound: "plan",
  };
  list(app, "plans.read", "/plans/:id", plan, (ctx, input, c) =>
    readPlan(ctx, { id: c.req.param("id") ?? "", ...input }),
  );
  const approvals = { id: "listApprovals", summary: "Plans that wait for a second person" };
  read(app, "approvals.read", "/approvals", approvals, (ctx) => listApprovals(ctx));
  const create = {
    id: "createPlan",
    summary: "Freeze what a bulk action is about",
    body: planBody,
    errors: ["plan.nothing", "plan.too_many", "validation.filter", "attachment.not_found", ...THEIRS],
  };
  act(app, "plans.create", "/plans", create, async (call, body) => {
    const scope = scopeOfBody(body, new Date().toISOString());
    // What is wanted, not when: the same request again is the same command.
    const { reason: _reason, ...scoped } = body;
    const request = requestOf(call, NEW, { kind: body.kind, scope: JSON.stringify(scoped) });
    return planAnswer(call, await createPlan(call.ctx, request, { kind: body.kind, scope }));
  });
  const rerun = {
    id: "rerunPlan",
    summary: "Plan again what a plan left",
    body: reasonBody,
    errors: ["plan.not_found", "plan.state", "plan.nothing", "attachment.not_found", ...THEIRS],
  };
  act(app, "plans.create", "/plans/:id/rerun", rerun, async (call) => {
    const scope = { by: "rerun", of: planId(call.c) } as const;
    const request = requestOf(call, NEW, { scope: JSON.stringify(scope) });
    // The kind is that of the plan whose rest this is.
    return planAnswer(call, await createPlan(call.ctx, request, { kind: "requeue_dead_letters", scope }));
  });
  registerSteps(app);
}

function registerSteps(app: Hono<AdminEnv>): void {
  const start = { id: "startPlan", summary: "Start a plan", body: noBody, bodyOptional: true, errors: STEP_ERRORS };
  act(app, "plans.start", "/plans/:id/start", start, async (call) => {
    const { id, request } = aboutPlan(call);
    return stepAnswer(call, await startPlan(call.ctx, request, id));
  });
  const decide = {
    id: "decidePlan",
    summary: "Approve or reject a plan of another person",
    body: decideBody,
    errors: [
      ...STEP_ERRORS,
      "plan.own_request",
      "plan.tied_person",
      "plan.unknown_holder",
      "auth.person_only",
      "outbox.not_found",
      "correction.not_possible",
      "correction.body_purged",
    ],
  };
  act(app, "plans.decide", "/plans/:id/decide", decide, async (call, { decision, start, reason }) => {
    if (decision === "reject" && reason === undefined) throw needsReason();
    const { id, request } = aboutPlan(call, { decision, start: String(start) });
    return stepAnswer(call, await decidePlan(call.ctx, request, id, { decision, start }));
  });
  const ask = {
    id: "askPlan",
    summary: "Ask the provider again about rows without a final answer",
    body: noBody,
    bodyOptional: true,
    errors: STEP_ERRORS,
  };
  act(app, "plans.ask", "/plans/:id/ask", ask, async (call) => {
    const { id, request } = aboutPlan(call);
    return actionAnswer(call.c, await askPlanAgain(call.ctx, request, id), { message: "Asking the provider." });
  });
  const abort = { id: "abortPlan", summary: "End a plan; its rest stays", body: reasonBody, errors: STEP_ERRORS };
  act(app, "plans.abort", "/plans/:id/abort", abort, async (call) => {
    const { id, request } = aboutPlan(call);
    return stepAnswer(call, await abortPlan(call.ctx, request, id));
  });
}

function planId(c: AdminCall): string {
  return idOf(c, "plan.not_found");
}

function aboutPlan(call: ActionCall, input?: ActionRequest["input"]) {
  const id = planId(call.c);
  return { id, request: requestOf(call, { type: "plan", id }, input) };
}

function needsReason(): AppError {
  return new AppError("validation.body", 422, "The body is not valid", {
    detail: "Say why it is rejected. Nothing was recorded.",
    extensions: { errors: [{ path: "reason", message: "say why" }] },
  });
}

/** Where the new plan is, and in words what was frozen. */
function planAnswer({ c }: ActionCall, result: ActionResult) {
  const { planId: id, total, acting } = result.answer.after;
  const message = `${formatCount(Number(total))} frozen, ${formatCount(Number(acting))} would act.`;
  return actionAnswer(c, result, { message, href: `/plans/${String(id)}` });
}

const DONE_TEXTS: Readonly<Record<string, string>> = {
  running: "Started.",
  ready: "Approved.",
  done: "A new message took its place.",
  rejected: "Rejected.",
  aborted: "Stopped.",
  awaiting_approval: "Not started: a second person must approve it first.",
};

function stepAnswer({ c }: ActionCall, result: ActionResult) {
  const { state, untouched } = result.answer.after;
  const left = typeof untouched === "number" ? ` ${untouchedWords(untouched)}` : "";
  return actionAnswer(c, result, { message: `${DONE_TEXTS[String(state)] ?? "Done."}${left}` });
}

function untouchedWords(count: number): string {
  return count === 1 ? "1 row stays untouched." : `${formatCount(count)} rows stay untouched.`;
}
