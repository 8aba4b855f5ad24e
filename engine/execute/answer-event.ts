import { createHash } from "node:crypto";
import type { ClaimRow } from "@/db/operations/claim";
import type { EventRow } from "@/db/operations/record-events";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import { v7 as uuidv7 } from "uuid";
import type { EngineContext } from "../context";
import type { Told, ToldRow } from "../telemetry/observe-answer";

/** Types of events that answer a request are the outcome's own word. */
export interface AnswerEventInput {
  readonly outcome: AnswerOutcome;
  readonly status: number;
  readonly code?: string | undefined;
  /** The bytes that were served; their hash proves that replays are byte-equal. */
  readonly body?: Buffer | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** Outcomes that the caller who started an attempt is told. */
const STARTED: ReadonlySet<AnswerOutcome> = new Set(["executed", "unknown", "failed"]);

/** @returns the event that says what one caller was told, when and how fast. Time is the database's, plus what passed since. */
export function answerEvent(
  ctx: EngineContext,
  row: Pick<ClaimRow, "fence"> & ToldRow,
  request: {
    readonly receivedAt: number;
    readonly shape?: Readonly<Record<string, unknown>> | undefined;
    readonly told?: Told | undefined;
  },
  input: AnswerEventInput & { readonly operation: string },
): EventRow {
  if (request.told !== undefined) Object.assign(request.told, { row, status: input.status, code: input.code });
  return {
    tenantId: ctx.tenantId,
    id: uuidv7(),
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
    servedHash: input.body === undefined ? undefined : hashOf(input.body),
    // How the first command was written, so that a conflict can tell difference in meaning from difference in form.
    detail:
      STARTED.has(input.outcome) && request.shape !== undefined
        ? { shape: request.shape, ...input.detail }
        : input.detail,
  };
}

/** SHA-256 of served bytes. */
export function hashOf(body: Buffer): Buffer {
  return createHash("sha256").update(body).digest();
}
