import { toAppError, type AppError } from "@/domain/errors";
import type { ExecuteAnswer } from "../execute/answer";
import type { EngineContext } from "../context";
import { createLineBudget } from "./line-budget";
import { meters, type MeterOutcome } from "./meters";
import { inSpan, traceIdIn } from "./telemetry";
import type { ClaimRow } from "@/db/operations/claim";

/**
 * Lines per second and process for callers that come again (replayed, in progress). These alone have no bound of their own: one
 * key may be repeated any number of times, and a storm of retries must not become a storm of lines. What is left out is counted
 * in `left_out` of the next line, in the metrics, and stands in idempotency_events. Every other answer is one line.
 */
export const REPEAT_LINES_PER_SECOND = 50;

export interface ObservedRequest {
  readonly key: string;
  readonly receivedAt: number;
}

/** How one request ended, and what became known on the way. */
export type Observation = { readonly trace: RequestTrace } & (
  { readonly kind: "answered"; readonly answer: ExecuteAnswer } | { readonly kind: "failed"; readonly error: unknown }
);

/** How one request ended, as logs and metrics say it. */
export interface Ended {
  readonly outcome: MeterOutcome;
  readonly state?: string | undefined;
  /** Of a refusal, and of what was thrown. */
  readonly error?: AppError | undefined;
}

const repeats = createLineBudget(REPEAT_LINES_PER_SECOND);
const CONFLICT = 409;
const MS_PER_SECOND = 1_000;
const HASH_BYTES = 8;

/**
 * Runs one keyed request and makes it observable: a span, a log line, the counters. The key itself stands in none of them.
 * @param work throws nothing: an error is part of the observation
 * @throws the error of the observation
 */
export function observeAnswer(
  ctx: EngineContext,
  operation: string,
  request: ObservedRequest,
  work: () => Promise<Observation>,
): Promise<ExecuteAnswer> {
  const facts = () => ({
    "idempotency.key_hash": ctx.log.keyHash(ctx.tenantId, request.key),
    "idempotency.operation": operation,
  });
  return inSpan(`execute ${operation}`, { facts }, async (span) => {
    const seen = await work();
    const { trace } = seen;
    const ended = seen.kind === "answered" ? endOf(seen.answer, trace) : endedBy(seen.error);
    span.set({
      "idempotency.attempt": trace.row?.attempts,
      "idempotency.outcome": ended.outcome,
      "idempotency.operation_id": trace.row?.operation_id,
    });
    recordAnswered(ctx, operation, request, trace, ended);
    if (seen.kind === "failed") throw seen.error;
    return seen.answer;
  });
}

/** What broke may have had an effect: then it is unknown and not failed. */
export function endedBy(thrown: unknown): Ended {
  const error = toAppError(thrown);
  return { outcome: error.certainty === "indefinite" ? "unknown" : "failed", error };
}

function endOf(answer: ExecuteAnswer, trace: RequestTrace): Ended {
  const state = answer.operation?.state ?? trace.row?.state;
  switch (answer.outcome) {
    case "executed":
      return { outcome: answer.operation.state === "COMPLETED" ? "created" : "failed", state };
    case "replayed":
      return { outcome: trace.row?.outcome === "stale" ? "recovered" : "replayed", state };
    case "purged":
      return { outcome: "replayed", state };
    case "refused":
      return { outcome: state === "UNKNOWN_REQUIRES_RECOVERY" ? "unknown" : "failed", state, error: answer.error };
    case "conflict":
    case "in_progress":
    case "expired":
    case "unknown":
      return { outcome: answer.outcome, state };
  }
}

/** Counts one answered request and writes its line. */
export function recordAnswered(
  ctx: EngineContext,
  operation: string,
  request: ObservedRequest,
  trace: RequestTrace,
  ended: Ended,
): void {
  const { outcome, error } = ended;
  meters.requests.inc({ operation, outcome });
  const delay = retryDelay(trace);
  // A conflict is another command, not a retry of this one.
  if (delay !== undefined && outcome !== "conflict") meters.retryDelay.observe({ operation }, delay);
  if (!ctx.log.writes("info")) return;
  const line = outcome === "replayed" || outcome === "in_progress" ? repeats.take() : { leftOut: 0 };
  if (line === undefined) return;
  ctx.log.info(
    {
      idempotencyKey: request.key,
      tenantId: ctx.tenantId,
      payloadHash: trace.fingerprint?.toString("hex", 0, HASH_BYTES),
      status: trace.status ?? error?.status ?? CONFLICT,
      attempt: trace.row?.attempts,
      fromState: fromState(trace),
      toState: ended.state,
      errorCode: trace.code ?? error?.code,
      operation,
      operationId: trace.row?.operation_id,
      outcome,
      requestId: ctx.requestId,
      traceId: traceIdIn(ctx.traceparent),
      latencyMs: performance.now() - request.receivedAt,
      leftOut: line.leftOut === 0 ? undefined : line.leftOut,
    },
    "answered",
  );
}

/** @returns seconds since the first request of the key, by the database's clock; undefined for the first one itself. */
function retryDelay({ row }: RequestTrace): number | undefined {
  if (row?.created_at === undefined || row.created_at === null) return undefined;
  if (row.outcome === "claimed" && row.attempts === 1) return undefined;
  return (row.asked_at.getTime() - row.created_at.getTime()) / MS_PER_SECOND;
}

/** A claim says the state that it made; before it there was nothing, or a failed attempt. */
function fromState({ row }: RequestTrace): string | undefined {
  if (row?.outcome !== "claimed") return row?.state;
  return row.attempts > 1 ? "FAILED_RETRYABLE" : "NONE";
}

/** What became known about one request on the way to its answer, for logs, metrics and spans. */
export interface RequestTrace {
  /** Of the command as it came. */
  readonly fingerprint?: Buffer | undefined;
  /** What the key stood for when it was last looked at. */
  readonly row?: TraceRow | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

export type TraceRow = Pick<ClaimRow, "operation_id" | "attempts" | "asked_at"> &
  Partial<Pick<ClaimRow, "outcome" | "state" | "created_at">>;
