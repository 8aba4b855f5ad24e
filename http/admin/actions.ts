import type { Hono } from "hono";
import type { Action } from "@/domain/access/permission";
import { messageAction } from "@/console/actions/message-actions";
import { previewRetention } from "@/console/read/deployment/read-retention";
import { assignOperation, reconcileAction, releaseAction, resolveAction } from "@/console/actions/operation-actions";
import { purgeBody, purgeExpiredBodies, revealBody } from "@/console/actions/body-actions";
import type { AdminEnv } from "../env";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { actionAnswer, idOf, actionOrigin, requestOf } from "./action-answer";
import { assignBody, noBody, reason, reasonBody, resolveBody } from "./action-bodies";
import { act, type AdminCall } from "./declare";
import { z } from "zod";
import { CONFLICT_MARKS, markConflicts } from "@/console/actions/mark-conflicts";

const OPEN_ERRORS = ["operation.not_found", "operation.not_open"];

/**
 * What operators do. Every call carries an `Idempotency-Key`, says its reason, and is answered with what changed, what was
 * skipped and why, and its audit entry; the same request again gets the first answer and `Idempotent-Replayed: true`.
 */
export function registerAdminActions(app: Hono<AdminEnv>): void {
  registerOpen(app);
  registerBodies(app);
  registerMessages(app);
  // A preview changes nothing, so nothing is stored under its key. The key is required all the same, as on every POST.
  const preview = {
    id: "previewRetention",
    summary: "What a purge would delete now",
    body: noBody,
    bodyOptional: true,
  };
  act(app, "/retention/preview", preview, async (c) => {
    requireKey(c);
    return jsonAnswer(c, await previewRetention(c.get("ctx")));
  });
  const run = { id: "runRetention", summary: "Delete the bodies whose time is over", body: reasonBody };
  act(app, "/retention/runs", run, async (c, { reason }) => {
    const ctx = c.get("ctx");
    const request = requestOf(c, "retention.run", { type: "tenant", id: ctx.tenantId }, reason);
    return actionAnswer(c, await purgeExpiredBodies(ctx, request));
  });
}

/** What is done with one operation whose outcome is open. */
function registerOpen(app: Hono<AdminEnv>): void {
  const reconcile = {
    id: "reconcileOperation",
    summary: "Ask the provider what became of an operation",
    body: noBody,
    bodyOptional: true,
    errors: OPEN_ERRORS,
  };
  act(app, "/operations/:id/reconcile", reconcile, async (c, body) => {
    const { id, request } = aboutOperation(c, "operations.reconcile", body?.reason);
    return actionAnswer(c, await reconcileAction(c.get("ctx"), c.get("deps").registry, request, id));
  });
  const resolve = {
    id: "resolveOperation",
    summary: "Decide the outcome of an operation by evidence",
    body: resolveBody,
    errors: ["operation.not_found", "operation.not_unknown", "operation.contradicted", "validation.evidence"],
  };
  act(app, "/operations/:id/resolve", resolve, async (c, body) => {
    const { id, request } = aboutOperation(c, "operations.resolve", body.reason, {
      decision: body.decision,
      evidence: JSON.stringify(body.evidence),
      providerReference: body.providerReference ?? null,
    });
    const decision = { operationId: id, ...body };
    return actionAnswer(c, await resolveAction(c.get("ctx"), c.get("deps").registry, request, decision));
  });
  const release = {
    id: "releaseOperation",
    summary: "Give the key of an operation free that was never sent",
    body: reasonBody,
    errors: OPEN_ERRORS,
  };
  act(app, "/operations/:id/release", release, async (c, { reason }) => {
    const { id, request } = aboutOperation(c, "operations.release", reason);
    return actionAnswer(c, await releaseAction(c.get("ctx"), c.get("deps").registry, request, id));
  });
  const assign = {
    id: "assignOperation",
    summary: "Say who looks after an open operation",
    body: assignBody,
    errors: OPEN_ERRORS,
  };
  act(app, "/operations/:id/assign", assign, async (c, { to }) => {
    const { id, request } = aboutOperation(c, "operations.assign", undefined, { to });
    return actionAnswer(c, await assignOperation(c.get("ctx"), request, id, to));
  });
}

function registerBodies(app: Hono<AdminEnv>): void {
  const errors = ["operation.not_found"];
  const purge = { id: "purgeBody", summary: "Delete the kept body of an operation", body: reasonBody, errors };
  act(app, "/operations/:id/purge-body", purge, async (c, { reason }) => {
    const { id, request } = aboutOperation(c, "operations.purge_body", reason);
    return actionAnswer(c, await purgeBody(c.get("ctx"), request, id));
  });
  const reveal = { id: "revealBody", summary: "Show the bodies of an operation, once", body: reasonBody, errors };
  act(app, "/operations/:id/reveal", reveal, async (c, { reason }) => {
    const { id, request } = aboutOperation(c, "bodies.reveal", reason);
    const result = await revealBody(c.get("ctx"), request, id);
    return actionAnswer(c, result, { command: result.bodies.command, response: result.bodies.response });
  });
}

/** A dead message is sent again, or dropped for good: its row and its dead letter stay. */
function registerMessages(app: Hono<AdminEnv>): void {
  const texts = {
    requeue: { id: "requeue", summary: "Try a dead message again" },
    discard: { id: "discard", summary: "Drop a dead message for good" },
  } as const;
  for (const side of ["outbox", "inbox"] as const) {
    for (const verb of ["requeue", "discard"] as const) {
      const about = {
        id: `${texts[verb].id}${side === "outbox" ? "Outbox" : "Inbox"}Message`,
        summary: `${texts[verb].summary}: ${side}`,
        body: reasonBody,
        errors: [`${side}.not_found`],
      };
      act(app, `/${side}/:id/${verb}`, about, async (c, { reason }) => {
        const id = idOf(c, `${side}.not_found`);
        const request = requestOf(c, `${side}.${verb}`, { type: side, id }, reason);
        return actionAnswer(c, await messageAction(c.get("ctx"), request, { side, id }, verb));
      });
    }
  }
}

function aboutOperation(
  c: AdminCall,
  action: Action,
  reason: string | undefined,
  input?: Parameters<typeof requestOf>[4],
) {
  const id = idOf(c, "operation.not_found");
  return { id, request: requestOf(c, action, { type: "operation", id }, reason, input) };
}

const NAME_MAX = 300;

const name = z.string().min(1).max(NAME_MAX);

const markBody = z.strictObject({ client: name, operation: name, mark: z.enum(CONFLICT_MARKS), reason });

/** Whose fault the conflicts of a client and operation are; its reason is the note beside the mark. */
export function registerConflictMarks(app: Hono<AdminEnv>): void {
  const mark = {
    id: "markConflicts",
    summary: "Say whose fault the conflicts of a client and operation are",
    body: markBody,
    errors: ["conflict.not_found"],
  };
  act(app, "/conflicts/mark", mark, async (c, { reason: note, ...group }) => {
    const result = await markConflicts(c.get("ctx"), actionOrigin(c), { ...group, note });
    return actionAnswer(c, result, { message: messageOf(group.mark, result.answer.affected) });
  });
}

function messageOf(mark: (typeof CONFLICT_MARKS)[number], affected: number): string {
  if (mark === "none") return affected === 0 ? "It had no mark." : "The mark is gone.";
  return "It is marked. A conflict that comes after this shows as new.";
}
