import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import type { ActionAnswer, ActionOutcome, ActionRequest, ActionResult } from "./action-answer";
import type { ExecuteAnswer } from "../execute/answer";
import { audit } from "./audit";
import type { EngineContext } from "../context";
import type { Claim, LocalOperation, Settlement } from "../execute/operation";

const API_VERSION = "1";
const SCHEMA_VERSION = "admin-action-1";

/** An action is an operation like any other, so a second click is a replay and its history is kept. */
export function actionDefinition(
  request: ActionRequest,
  run: (ctx: EngineContext, tx: Queryable, claim: Claim) => Promise<ActionOutcome>,
): LocalOperation<ActionRequest> {
  return {
    path: "local",
    name: `admin.${request.action}`,
    apiVersion: API_VERSION,
    schemaVersion: SCHEMA_VERSION,
    policy: {},
    fields: (command) => ({
      ...command.input,
      subject: `${command.subject.type}:${command.subject.id}`,
      reason: command.reason ?? null,
    }),
    describe: (command) => ({ reference: command.subject.id }),
    run: async (ctx, tx, claim) => settlementOf(await writeDown(ctx, tx, request, await run(ctx, tx, claim)), request),
  };
}

/** The key of a person's click belongs to that person: two people may use the same key without meeting. */
export function actionKey(ctx: EngineContext, request: ActionRequest): string {
  return `${ctx.actor.kind}:${ctx.actor.id}:${request.idempotencyKey}`;
}

/** Adds the audit entry of an outcome. @returns what the caller is told */
export async function writeDown(
  ctx: EngineContext,
  tx: Queryable,
  request: ActionRequest,
  outcome: ActionOutcome,
): Promise<ActionAnswer> {
  const { evidence, ...told } = outcome;
  const auditId = await audit(ctx, tx, {
    action: request.action,
    subject: outcome.subject ?? request.subject,
    reason: request.reason,
    before: outcome.before,
    after: { ...outcome.after, changed: outcome.changed, affected: outcome.affected, skipped: outcome.skipped },
    evidence,
  });
  return { action: request.action, ...told, auditId };
}

export function settlementOf(answer: ActionAnswer, request: ActionRequest): Settlement {
  return {
    state: "COMPLETED",
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(answer)),
    },
    resource: answer.subject ?? request.subject,
  };
}

/**
 * Turns the engine's decision into the action's answer.
 * @throws AppError for every decision that is not an answer
 */
export function resultOf(answer: ExecuteAnswer): ActionResult {
  switch (answer.outcome) {
    case "executed":
    case "replayed": {
      const { operationId } = answer.operation;
      return {
        replayed: answer.outcome === "replayed",
        operationId,
        answer: JSON.parse(answer.response.body.toString()) as ActionAnswer,
      };
    }
    case "conflict":
      throw new AppError("idempotency.payload_mismatch", 409, "This key stands for another action", {
        detail: "Nothing was done. Use a new key for another action.",
        extensions: { differingFields: answer.differingFields },
      });
    case "in_progress":
    case "unknown":
      throw new AppError("idempotency.in_progress", 409, "The same action is still running", {
        retryable: true,
        retryAfter: answer.retryAfterSeconds,
      });
    case "expired":
    case "purged":
      throw new AppError("idempotency.key_expired", 410, "This key was used too long ago", {
        detail: "Nothing was done. The audit says what it did then.",
      });
    case "refused":
      throw answer.error;
  }
}
