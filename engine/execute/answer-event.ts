import type { ClaimRow } from "@/db/operations/claim";
import type { Queryable } from "@/db/client";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { newId } from "@/domain/new-id";
import { sha256 } from "../sha256";
import { answerStatus, type ExecuteAnswer } from "./answer";
import type { EngineContext } from "../context";
import type { TraceRow } from "@/engine/telemetry/observe-answer";

/** Types of events that answer a request are the outcome's own word. */
export interface AnswerEventInput {
  readonly outcome: AnswerOutcome;
  readonly status: number;
  readonly code?: string | undefined;
  /** The bytes that were served; their hash proves that replays are byte-equal. */
  readonly body?: Buffer | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
  /** The refused command, sealed, which is kept beside the event; `id` is the event's, and it is sealed for that. */
  readonly sealed?: { readonly id: string; readonly command: Buffer } | undefined;
}

/** Outcomes that the caller who started an attempt gets. */
const STARTED: ReadonlySet<AnswerOutcome> = new Set(["executed", "unknown", "failed"]);

/** What an event takes from the request that it answers. */
export interface AnsweredRequest {
  readonly receivedAt: number;
  readonly shape?: (() => Readonly<Record<string, unknown>>) | undefined;
}

/** @returns the event that says what one caller got, when and how fast. Time is the database's, plus what passed since. */
export function answerEvent(
  ctx: EngineContext,
  row: Pick<ClaimRow, "fence"> & TraceRow,
  request: AnsweredRequest,
  input: AnswerEventInput & { readonly operation: string },
): EventInsert {
  return {
    tenantId: ctx.tenantId,
    id: input.sealed?.id ?? newId(),
    operationId: row.operation_id,
    operation: input.operation,
    at: row.asked_at.toISOString(),
    type: input.outcome,
    outcome: input.outcome,
    requestId: ctx.requestId,
    client: ctx.actor.name,
    fence: row.fence,
    attempt: row.attempts,
    latencyMs: performance.now() - request.receivedAt,
    status: input.status,
    code: input.code,
    servedHash: input.body === undefined ? undefined : sha256(input.body),
    commandSealed: input.sealed?.command,
    // How the first command was written, so that a conflict can tell difference in meaning from difference in form.
    detail:
      STARTED.has(input.outcome) && request.shape !== undefined
        ? Object.assign({ shape: request.shape() }, input.detail)
        : input.detail,
  };
}

/** @returns the event of an answer that was decided for a key */
export function eventOfAnswer(
  ctx: EngineContext,
  definition: { readonly name: string; readonly policy: Pick<OperationPolicy, "mismatchStatus"> },
  request: AnsweredRequest,
  row: ClaimRow,
  answer: ExecuteAnswer,
): EventInsert {
  const byReference = answer.outcome === "replayed" && answer.by === "reference";
  const { status, code } = answerStatus(answer, definition.policy);
  return answerEvent(ctx, row, request, {
    operation: definition.name,
    outcome: eventOutcome(answer),
    status,
    code,
    body: answer.outcome === "executed" || answer.outcome === "replayed" ? answer.response.body : undefined,
    detail: byReference ? { by: "reference" } : undefined,
  });
}

/** Records what a process or a person did to an operation besides answering. */
export function recordEvent(
  ctx: EngineContext,
  q: Queryable,
  event: Omit<EventInsert, "tenantId" | "id" | "at">,
): Promise<void> {
  return recordEvents(q, [
    {
      tenantId: ctx.tenantId,
      id: newId(),
      at: new Date().toISOString(),
      operationId: event.operationId,
      operation: event.operation,
      type: event.type,
      outcome: event.outcome,
      requestId: event.requestId,
      client: event.client,
      actor: event.actor,
      fence: event.fence,
      attempt: event.attempt,
      latencyMs: event.latencyMs,
      status: event.status,
      code: event.code,
      servedHash: event.servedHash,
      commandSealed: event.commandSealed,
      detail: event.detail,
    },
  ]);
}

function eventOutcome(answer: ExecuteAnswer): AnswerOutcome {
  switch (answer.outcome) {
    case "purged":
      return "replayed";
    case "expired":
      return "expired_retry";
    case "refused":
      return answer.operation?.state === "UNKNOWN_REQUIRES_RECOVERY" ? "unknown" : "failed";
    default:
      return answer.outcome;
  }
}
