import type { Hono } from "hono";
import { republishAction } from "@/console/actions/republish";
import { messageAction } from "@/console/actions/message-actions";
import { previewRetention } from "@/console/read/deployment/read-retention";
import { assignOperation, reconcileAction, releaseAction, resolveAction } from "@/console/actions/operation-actions";
import { withdrawServiceRequest } from "@/console/actions/service-requests";
import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import { purgeBody, purgeExpiredBodies, revealBody } from "@/console/actions/body-actions";
import type { AdminEnv } from "../env";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { actionAnswer, idOf, requestOf, withMessage } from "./action-answer";
import { assignBody, noBody, reason, reasonBody, resolveBody } from "./action-bodies";
import { act, type ActionCall } from "./declare";
import { z } from "zod";
import { reportDeploy } from "@/console/actions/report-deploy";
import { CONFLICT_MARKS, markConflicts } from "@/console/actions/mark-conflicts";

const OPEN_ERRORS = ["operation.not_found", "operation.not_open"];
const SERVICE_ERRORS = ["operation.not_offered", "operation.request_open"];
/** Our own operations are acted on; of a service's kind a request to that service is recorded. */
const answersOf = (text: string) => ({
  200: { text },
  202: { text: "The operation belongs to a service in another language: a request to it is recorded (`request`)" },
});

/**
 * What operators do. Every call carries an `Idempotency-Key`, says its reason, and is answered with what changed, what was
 * skipped and why, and its audit entry; the same request again gets the first answer and `Idempotent-Replayed: true`.
 */
export function registerAdminActions(app: Hono<AdminEnv>): void {
  registerOpen(app);
  registerBodies(app);
  registerMessages(app);
  registerPublished(app);
  // A preview changes nothing, so nothing is stored under its key. The key is required all the same, as on every POST.
  const preview = {
    id: "previewRetention",
    summary: "What a purge would delete now",
    body: noBody,
    bodyOptional: true,
  };
  act(app, "retention.preview", "/retention/preview", preview, async ({ c, ctx }) => {
    requireKey(c);
    return jsonAnswer(c, await previewRetention(ctx));
  });
  const run = { id: "runRetention", summary: "Delete expired bodies", body: reasonBody };
  act(app, "retention.run", "/retention/runs", run, async (call) => {
    const request = requestOf(call, { type: "tenant", id: call.ctx.tenantId });
    return actionAnswer(call.c, await purgeExpiredBodies(call.ctx, request));
  });
}

/** What is done with one operation whose outcome is open. */
function registerOpen(app: Hono<AdminEnv>): void {
  const reconcile = {
    id: "reconcileOperation",
    summary: "Ask the provider what became of an operation",
    body: noBody,
    bodyOptional: true,
    answers: answersOf("What the provider said, and what became of the operation"),
    errors: [...OPEN_ERRORS, ...SERVICE_ERRORS],
  };
  act(app, "operations.reconcile", "/operations/:id/reconcile", reconcile, async (call) => {
    const { c, ctx, registry, id, request } = aboutOperation(call);
    return actionAnswer(c, await reconcileAction(ctx, registry, request, id));
  });
  const resolve = {
    id: "resolveOperation",
    summary: "Decide the outcome of an operation by evidence",
    body: resolveBody,
    answers: answersOf("The outcome was kept"),
    errors: [
      ...OPEN_ERRORS,
      ...SERVICE_ERRORS,
      "operation.not_unknown",
      "operation.contradicted",
      "plan.needed",
      "validation.evidence",
    ],
  };
  act(app, "operations.resolve", "/operations/:id/resolve", resolve, async (call, body) => {
    const { c, ctx, registry, id, request } = aboutOperation(call, {
      decision: body.decision,
      evidence: JSON.stringify(body.evidence),
      providerReference: body.providerReference ?? null,
    });
    return actionAnswer(c, await resolveAction(ctx, registry, request, { operationId: id, ...body }));
  });
  const release = {
    id: "releaseOperation",
    summary: "Release the key of an operation that was never sent",
    body: reasonBody,
    answers: answersOf("The key was released"),
    errors: [...OPEN_ERRORS, ...SERVICE_ERRORS],
  };
  act(app, "operations.release", "/operations/:id/release", release, async (call) => {
    const { c, ctx, registry, id, request } = aboutOperation(call);
    return actionAnswer(c, await releaseAction(ctx, registry, request, id));
  });
  const withdraw = {
    id: "withdrawServiceRequest",
    summary: "Withdraw what was asked of the service of an operation",
    body: noBody,
    bodyOptional: true,
    errors: ["operation.not_found", "operation.no_request"],
  };
  act(app, "operations.withdraw_request", "/operations/:id/withdraw-request", withdraw, async (call) => {
    const { c, ctx, id, request } = aboutOperation(call);
    return actionAnswer(c, await withdrawServiceRequest(ctx, request, id));
  });
  const assign = {
    id: "assignOperation",
    summary: "Assign an open operation",
    body: assignBody,
    errors: OPEN_ERRORS,
  };
  act(app, "operations.assign", "/operations/:id/assign", assign, async (call, { to }) => {
    const { c, ctx, id, request } = aboutOperation(call, { to });
    return actionAnswer(c, await assignOperation(ctx, request, id, to));
  });
}

function registerBodies(app: Hono<AdminEnv>): void {
  const errors = ["operation.not_found"];
  const purge = {
    id: "purgeBody",
    summary: "Delete the kept body of an operation",
    body: reasonBody,
    errors: [...errors, "plan.needed"],
  };
  act(app, "operations.purge_body", "/operations/:id/purge-body", purge, async (call) => {
    const { c, ctx, id, request } = aboutOperation(call);
    return actionAnswer(c, await purgeBody(ctx, request, id));
  });
  const reveal = { id: "revealBody", summary: "Show the bodies of an operation, once", body: reasonBody, errors };
  act(app, "bodies.reveal", "/operations/:id/reveal", reveal, async (call) => {
    const { c, ctx, id, request } = aboutOperation(call);
    const result = await revealBody(ctx, request, id);
    return actionAnswer(c, result, { command: result.bodies.command, response: result.bodies.response });
  });
}

/** A dead message is sent again, or dropped for good: its row and its dead letter stay. */
function registerMessages(app: Hono<AdminEnv>): void {
  const summaries = { requeue: "Try a dead message again", discard: "Drop a dead message for good" };
  for (const side of ["outbox", "inbox"] as const) {
    for (const verb of ["requeue", "discard"] as const) {
      const about = {
        id: `${verb}${side === "outbox" ? "Outbox" : "Inbox"}Message`,
        summary: `${summaries[verb]}: ${side}`,
        body: reasonBody,
        errors: [`${side}.not_found`, ...(verb === "discard" ? ["plan.needed"] : [])],
      };
      act(app, `${side}.${verb}`, `/${side}/:id/${verb}`, about, async (call) => {
        const id = idOf(call.c, `${side}.not_found`);
        const request = requestOf(call, { type: side, id });
        return actionAnswer(call.c, await messageAction(call.ctx, request, { side, id }, verb));
      });
    }
  }
}

/** A message that was acknowledged and never arrived goes out once more, under its id. */
function registerPublished(app: Hono<AdminEnv>): void {
  const about = {
    id: "republishOutboxMessage",
    summary: "Publish a message again that was acknowledged and never arrived",
    description:
      "Under its id and with the same bytes, so a receiver that has it drops the copy. A message that a consumer here has is refused: it arrived.",
    body: reasonBody,
    errors: ["outbox.not_found", "outbox.arrived", "outbox.not_republishable", "plan.needed"],
  };
  act(app, "outbox.republish", "/outbox/:id/republish", about, async (call) => {
    const id = idOf(call.c, "outbox.not_found");
    const request = requestOf(call, { type: "outbox", id });
    return actionAnswer(call.c, await republishAction(call.ctx, request, id));
  });
}

function aboutOperation(call: ActionCall, input?: Parameters<typeof requestOf>[2]) {
  const { c, ctx } = call;
  const id = idOf(c, "operation.not_found");
  const { registry } = c.get("deps");
  return { c, ctx, registry, id, request: requestOf(call, { type: "operation", id }, input) };
}

const NAME_MAX = 300;
const name = z.string().min(1).max(NAME_MAX).refine(isPlain, PLAIN_RULE);
const markBody = z.strictObject({ client: name, operation: name, mark: z.enum(CONFLICT_MARKS), reason });

/** Whose fault the conflicts of a client and operation are; its reason is the note beside the mark. */
export function registerConflictMarks(app: Hono<AdminEnv>): void {
  const mark = {
    id: "markConflicts",
    summary: "Mark the conflicts of a client and operation",
    body: markBody,
    errors: ["conflict.not_found"],
  };
  act(app, "conflicts.mark", "/conflicts/mark", mark, async ({ c, ctx, origin }, { reason: note, ...group }) => {
    const result = await markConflicts(ctx, origin, { ...group, note });
    return actionAnswer(c, result, { message: messageOf(group.mark, result.answer.affected) });
  });
}

function messageOf(mark: (typeof CONFLICT_MARKS)[number], affected: number): string {
  if (mark === "none") return affected === 0 ? "It had no mark." : "Mark removed.";
  return "Marked. Later conflicts show as new.";
}

const DEPLOY_NAME_MAX = 100;
const LINK_MAX = 500;
const deployName = z.string().trim().min(1).max(DEPLOY_NAME_MAX).refine(isPlain, PLAIN_RULE);

const deployBody = z.strictObject({
  service: deployName,
  version: deployName,
  /** When it went live; without it, now. */
  at: z.iso.datetime({ offset: true }).optional(),
  link: z
    .url({ protocol: /^https?$/ })
    .max(LINK_MAX)
    .optional(),
  reason: reason.optional(),
});

/** What a pipeline reports: that a version went live. */
export function registerAdminDeploys(app: Hono<AdminEnv>): void {
  const report = {
    id: "reportDeploy",
    summary: "Report that a version of a service went live",
    description:
      "A mark above the chart of money at risk and a line of the audit; nothing else changes. Kept for 30 days. A pipeline calls it with " +
      "an API key of the scope `admin` and its run's id as the `Idempotency-Key`, so a run that is repeated leaves one mark.",
    body: deployBody,
    errors: ["validation.deploy"],
  };
  act(app, "deploys.report", "/deploys", report, async ({ c, ctx, origin }, { reason: _, ...deploy }) =>
    withMessage(c, await reportDeploy(ctx, origin, deploy), `Deploy ${deploy.service} ${deploy.version} is marked.`),
  );
}
