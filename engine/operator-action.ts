import type { Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import type { ActionAnswer, ActionOutcome, ActionRequest, ActionResult, Finish } from "./action-answer";
import type { Answer } from "./answer";
import { audit } from "./audit";
import type { EngineContext } from "./context";
import { execute } from "./execute";
import type { LocalOperation, Settlement, TaskOperation } from "./operation";
import { requireConfirmation, requirePermission } from "./read/require";

const API_VERSION = "1";
const SCHEMA_VERSION = "admin-action-1";

/**
 * Runs an action of an operator once per (tenant, actor, action, key): permission, effect, audit entry and answer, the last
 * three in one transaction. A second click gets the first answer and is told so.
 *
 * @param run works in the transaction only; an AppError it throws leaves no trace
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `idempotency.payload_mismatch` 409, `idempotency.in_progress` 409
 */
export function operatorAction(
  ctx: EngineContext,
  request: ActionRequest,
  run: (tx: Queryable) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  return act(ctx, request, (settle) => ({
    path: "local",
    run: async (_ctx, tx) => settle(tx, await run(tx)),
  }));
}

/**
 * Like {@link operatorAction}, for work that no single transaction can hold: it asks a provider, or runs in many small steps.
 * The claim commits first; `finish` writes audit entry and answer in the transaction that settles.
 *
 * @param run calls `finish` in its settling transaction, or leaves that to us by returning the outcome
 * @throws AppError as of operatorAction; what `run` throws frees the key for another try
 */
export function operatorTask(
  ctx: EngineContext,
  request: ActionRequest,
  run: (finish: Finish) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  return act(ctx, request, (settle) => ({
    path: "task",
    run: async (_ctx, keep) => {
      let finished: true | undefined;
      const finish: Finish = async (tx, outcome) => {
        await keep(tx, await settle(tx, outcome));
        finished = true;
      };
      const outcome = await run(finish);
      if (finished === undefined) await inTransaction(ctx.db, (tx) => finish(tx, outcome));
    },
  }));
}

type Definition = LocalOperation<ActionRequest> | TaskOperation<ActionRequest>;
type Way = Pick<LocalOperation<ActionRequest>, "path" | "run"> | Pick<TaskOperation<ActionRequest>, "path" | "run">;

/** An action is an operation like any other, so a second click is a replay and its history is kept. */
async function act(
  ctx: EngineContext,
  request: ActionRequest,
  by: (settle: (tx: Queryable, outcome: ActionOutcome) => Promise<Settlement>) => Way,
): Promise<ActionResult> {
  requirePermission(ctx, request.action);
  requireConfirmation(ctx, request.action);
  let written: ActionAnswer | undefined;
  const definition: Definition = {
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
    ...by(async (tx, outcome) => {
      written = await writeDown(ctx, tx, request, outcome);
      return settlementOf(written, request);
    }),
  };
  // The key of a person's click belongs to that person: two people may use the same key without meeting.
  const key = `${ctx.actor.kind}:${ctx.actor.id}:${request.idempotencyKey}`;
  const answer = await execute(ctx, definition, { key, command: request, receivedAt: request.receivedAt });
  return resultOf(answer, written);
}

/** Adds the audit entry of an outcome. @returns what the caller is told */
async function writeDown(
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

function settlementOf(answer: ActionAnswer, request: ActionRequest): Settlement {
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
 * @param written the answer of this very click; a replay has only its bytes
 * @throws AppError for every decision that is not an answer
 */
function resultOf(answer: Answer, written: ActionAnswer | undefined): ActionResult {
  switch (answer.outcome) {
    case "executed":
    case "replayed": {
      const { body } = answer.response;
      const replayed = answer.outcome === "replayed";
      const first = replayed ? undefined : written;
      return {
        replayed,
        operationId: answer.operation.operationId,
        answer: first ?? (JSON.parse(body.toString()) as ActionAnswer),
        body,
      };
    }
    case "conflict":
      throw new AppError("idempotency.payload_mismatch", 409, "This key stands for another action", {
        detail: "Nothing was done. Use a new key for another action.",
        extensions: { differingFields: answer.differingFields },
      });
    case "in_progress":
    case "unknown":
      throw new AppError("idempotency.in_progress", 409, "The same click is still at work", {
        retryable: true,
        retryAfter: answer.retryAfterSeconds,
      });
    case "expired":
    case "purged":
      throw new AppError("idempotency.key_expired", 410, "This key was used too long ago", {
        detail: "Nothing was done. The audit tells what it did then.",
      });
    case "refused":
      throw answer.error;
  }
}
