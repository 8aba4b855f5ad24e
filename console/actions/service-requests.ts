import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { kindOf, type OperatorAction } from "@/domain/operation-kind";
import { operationForAction } from "@/db/operations/operation-facts";
import { requestRecovery, withdrawRequest, type RecoveryRequestAnswer } from "@/db/recovery/operator-requests";
import { AppError } from "@/domain/errors";
import { changedOutcome, type ActionRequest, type ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { readActionFacts } from "./action-facts";

/** What an operator asks of the service that an operation belongs to. */
export interface ServiceAsk {
  readonly operationId: string;
  readonly action: OperatorAction;
  readonly outcome?: "succeeded" | "failed" | undefined;
  readonly evidence?: readonly string[];
  readonly providerReference?: string | undefined;
}

/** @returns whether a service in another language registered the kind of an operation, so that it alone acts on it */
export async function belongsToService(ctx: EngineContext, operationId: string): Promise<boolean> {
  const row = await operationForAction(ctx.db.pool, ctx.tenantId, operationId);
  if (row === undefined) return false;
  const kinds = await ctx.kinds.all();
  return kinds.has(row.operation) && kindOf(kinds, row.operation).runsIn === "service";
}

/**
 * Asks the service of an operation to act, instead of acting: request, audit and answer commit together.
 * @param alongside runs in that transaction once the request is recorded
 * @throws AppError `operation.not_offered` 409, `operation.request_open` 409, `operation.not_open` 409, `operation.not_found` 404:
 * nothing was changed
 */
export function askService(
  ctx: EngineContext,
  request: ActionRequest,
  ask: ServiceAsk,
  alongside?: (tx: Queryable) => Promise<void>,
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const by = { askedBy: actorRef(ctx.actor), person: ctx.actor.name, reason: request.reason };
    const { id, service, before, after } = await recordRequest(tx, ctx, ask, by);
    await alongside?.(tx);
    const { action, outcome: decision, evidence = [], providerReference } = ask;
    return {
      ...changedOutcome(before, after),
      evidence: { decision, evidence, providerReference },
      request: { id, service, action, state: "open" },
    };
  });
}

interface AskedBy {
  /** `kind:id`. */
  readonly askedBy: string;
  readonly person: string;
  readonly reason: string | undefined;
}

/**
 * Records what a person asks of the service of an operation.
 * @returns the request's id, the service, and the facts of the operation before and after
 * @throws AppError as {@link askService}
 */
export async function recordRequest(tx: Queryable, ctx: EngineContext, ask: ServiceAsk, by: AskedBy) {
  const { operationId, action, outcome, evidence = [], providerReference } = ask;
  const before = await readActionFacts(ctx, tx, operationId);
  const id = uuidv7();
  const { answer, service } = await requestRecovery(tx, {
    ...{ tenantId: ctx.tenantId, id, operationId, action, outcome, providerReference, evidence },
    ...by,
  });
  if (answer !== "recorded" || service === null) throw refusal(answer);
  const after = { ...before, request: "open", service, ...(outcome !== undefined && { decision: outcome }) };
  return { id, service, before, after };
}

/** What speaks against a request, as the code and the words of its refusal. */
const REFUSALS: Readonly<Record<Exclude<RecoveryRequestAnswer, "recorded">, readonly [code: string, title: string]>> = {
  not_found: ["operation.not_found", "There is no such operation"],
  settled: ["operation.not_open", "This operation is not open"],
  held: ["operation.not_open", "Its lease is held"],
  sent: ["operation.not_open", "This operation was sent"],
  unsent: ["operation.not_unknown", "Nothing was sent for this operation"],
  not_offered: ["operation.not_offered", "Its service does not offer this"],
  requested: ["operation.request_open", "Its service is asked already"],
};

function refusal(answer: RecoveryRequestAnswer): AppError {
  const [code, title] = answer === "recorded" ? REFUSALS.not_offered : REFUSALS[answer];
  const status = answer === "not_found" ? 404 : 409;
  const detail =
    answer === "requested" ? "Withdraw the open request first. Nothing was changed." : "Nothing was changed.";
  return new AppError(code, status, title, { detail });
}

/**
 * Takes a request back. A service that has it in hand is fenced, so it settles nothing by it any more.
 * @throws AppError `operation.no_request` 409, `operation.not_found` 404
 */
export function withdrawServiceRequest(
  ctx: EngineContext,
  request: ActionRequest,
  operationId: string,
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const before = await readActionFacts(ctx, tx, operationId);
    const done = await withdrawRequest(tx, ctx.tenantId, operationId, ctx.actor.name);
    if (done === undefined)
      throw new AppError("operation.no_request", 409, "No request to its service is open", {
        detail: "Nothing was changed.",
      });
    const { service, action, person } = done;
    const facts = { service, asked: action, person, takenBy: done.taken_by };
    return changedOutcome({ ...before, request: "open", ...facts }, { request: "withdrawn" });
  });
}
