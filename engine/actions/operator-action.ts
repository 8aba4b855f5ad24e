import type { Queryable } from "@/db/client";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import type { ProblemDocument } from "@/domain/idempotency/problem";
import type { EngineContext } from "../context";
import type { ExecuteAnswer } from "../execute/answer";
import { execute } from "../execute/execute";
import type { LocalOperation, ProviderOperation, Settlement, TaskOperation } from "../execute/operation";
import type { ActionAnswer, ActionOutcome, ActionRequest, ActionResult, Finish } from "./action-answer";
import { audit } from "./audit";
import { requireConfirmation, requirePermission } from "./require";

const API_VERSION = "1";
const SCHEMA_VERSION = "admin-action-1";

/**
 * Runs an action of an operator once per (tenant, actor, action, key): permission, effect, audit entry and answer, the last three
 * in one transaction. The same request again gets the first answer, marked as a replay.
 * @param run works in the transaction only; an AppError it throws leaves no trace
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `idempotency.payload_mismatch` 409,
 * `idempotency.in_progress` 409
 */
export function operatorAction(
  ctx: EngineContext,
  request: ActionRequest,
  run: (tx: Queryable) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  return executeAction(ctx, request, {
    path: "local",
    run: async (_ctx, tx) => settle(ctx, tx, request, await run(tx)),
  });
}

/**
 * Like {@link operatorAction}, for work that no single transaction can hold: it asks a provider, or runs in many small steps. The
 * claim commits first; `finish` writes audit entry and answer in the transaction that settles.
 * @param run calls `finish` in its settling transaction, or returns the outcome, which is then written in a transaction of its
 * own
 * @throws AppError as of operatorAction; what `run` throws frees the key for another try
 */
export function operatorTask(
  ctx: EngineContext,
  request: ActionRequest,
  run: (finish: Finish) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  return executeAction(ctx, request, {
    path: "task",
    run: async (_ctx, keep) => {
      let finished: true | undefined;
      const finish: Finish = async (tx, outcome) => {
        await keep(tx, await settle(ctx, tx, request, outcome));
        finished = true;
      };
      const outcome = await run(finish);
      if (finished === undefined) await inTransaction(ctx.db, (tx) => finish(tx, outcome));
    },
  });
}

/**
 * Like {@link operatorAction}, for an action of another system: an operation on the provider path, whose lost answer is unknown until it is
 * looked up. The definition writes the audit entries, and answers with an {@link ActionAnswer}.
 * @throws AppError as of operatorAction, and what the provider path throws: `dependency.timeout` 504 when it may have acted
 */
export async function operatorCall<Command>(
  ctx: EngineContext,
  { action, idempotencyKey, receivedAt }: Pick<ActionRequest, "action" | "idempotencyKey" | "receivedAt">,
  definition: ProviderOperation<Command>,
  command: Command,
): Promise<ActionResult> {
  requirePermission(ctx, action);
  requireConfirmation(ctx, action);
  const key = keyOf(ctx, idempotencyKey);
  return resultOf(await execute(ctx, definition, { key, command, receivedAt }));
}

/**
 * A look that is repeated under its key shows what it is about again, so it is on record again, before it does; the first look was kept
 * with the action itself.
 *
 * @throws when it cannot be recorded: then nothing is shown
 */
export async function auditRepeatedLook(
  ctx: EngineContext,
  { action, subject, reason }: ActionRequest,
  { replayed, answer }: ActionResult,
): Promise<void> {
  if (!replayed) return;
  const after = { repeated: true, first: answer.auditId };
  await inTransaction(ctx.db, (tx) => audit(ctx, tx, { action, subject, reason, before: {}, after }));
}

/** How the database keeps somebody: as the one who asked, started, decided, made a key, or looks after an operation. */
export function actorRef(actor: { readonly kind: string; readonly id: string }): string {
  return `${actor.kind}:${actor.id}`;
}

type PathOf<Definition extends { readonly path: string; run: unknown }> = Pick<Definition, "path" | "run">;

/** An action is an operation like any other, so the same request again is a replay and its history is kept. */
async function executeAction(
  ctx: EngineContext,
  request: ActionRequest,
  path: PathOf<LocalOperation<ActionRequest>> | PathOf<TaskOperation<ActionRequest>>,
): Promise<ActionResult> {
  requirePermission(ctx, request.action);
  requireConfirmation(ctx, request.action);
  const definition = {
    name: `admin.${request.action}`,
    apiVersion: API_VERSION,
    schemaVersion: SCHEMA_VERSION,
    policy: {},
    fields: ({ input, subject, reason }: ActionRequest) => ({
      ...input,
      subject: `${subject.type}:${subject.id}`,
      reason: reason ?? null,
    }),
    describe: ({ subject }: ActionRequest) => ({ reference: subject.id }),
    ...path,
  };
  const key = keyOf(ctx, request.idempotencyKey);
  return resultOf(await execute(ctx, definition, { key, command: request, receivedAt: request.receivedAt }));
}

/** The key belongs to the person: two people may use the same key without meeting. */
const keyOf = ({ actor }: EngineContext, idempotencyKey: string): string => `${actorRef(actor)}:${idempotencyKey}`;

/** Adds the audit entry of an outcome. @returns the answer to keep */
async function settle(
  ctx: EngineContext,
  tx: Queryable,
  { action, reason, ...request }: ActionRequest,
  outcome: ActionOutcome,
): Promise<Settlement> {
  const { evidence, ...facts } = outcome;
  const { subject = request.subject, before, changed, affected, skipped } = facts;
  const after = { ...facts.after, changed, affected, skipped };
  const auditId = await audit(ctx, tx, { action, subject, reason, before, after, evidence });
  const answer: ActionAnswer = { action, ...facts, auditId };
  return {
    state: "COMPLETED",
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(answer)),
    },
    resource: subject,
  };
}

const FIRST_ERROR = 400;

/** Turns the engine's decision into the action's answer. @throws AppError for every decision that is not an answer, and for a kept refusal */
export function resultOf(answer: ExecuteAnswer): ActionResult {
  switch (answer.outcome) {
    case "executed":
    case "replayed":
      if (answer.response.status >= FIRST_ERROR) throw keptRefusal(answer.response.body);
      return {
        replayed: answer.outcome === "replayed",
        operationId: answer.operation.operationId,
        answer: JSON.parse(answer.response.body.toString()) as ActionAnswer,
      };
    case "conflict":
      throw new AppError("idempotency.payload_mismatch", 409, "This key stands for another action", {
        detail: "Nothing was done. Use a new key for another action.",
        extensions: { differingFields: answer.differingFields },
      });
    case "in_progress":
    case "unknown":
      throw new AppError("idempotency.in_progress", 409, "The same action is in progress", {
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

/** A person may have settled that an action did nothing: then its key gets that refusal for good. */
function keptRefusal(body: Buffer): AppError {
  const { code, status, title, detail } = JSON.parse(body.toString()) as ProblemDocument;
  return new AppError(code, status, title, { detail });
}
