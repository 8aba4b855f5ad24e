import type { ClaimRow } from "@/db/operations/claim";
import { toAppError, type AppError } from "@/domain/errors";
import type { Answer } from "../execute/answer";
import type { EngineContext } from "../context";
import { createLineBudget } from "./line-budget";
import { meters, type MeterOutcome } from "./meters";
import { inSpan, traceIdIn } from "./telemetry";

/**
 * Lines per second and process for callers that come again (replayed, in progress). These alone have no bound of their own:
 * one key may be repeated any number of times, and a storm of retries must not become a storm of lines. What is left out is
 * counted in `left_out` of the next line, in the metrics, and stands in idempotency_events. Every other answer is one line.
 */
export const REPEAT_LINES_PER_SECOND = 50;

/** What became known about one request while it was answered; filled by claimInput and answerEvent. */
export interface Told {
  /** Of the command as it came. */
  fingerprint?: Buffer;
  /** What the key stood for when it was last looked at. */
  row?: ToldRow;
  status?: number;
  code?: string | undefined;
}
export type ToldRow = Pick<ClaimRow, "operation_id" | "attempts" | "asked_at"> &
  Partial<Pick<ClaimRow, "outcome" | "state" | "created_at">>;

export interface Observed {
  readonly key: string;
  readonly receivedAt: number;
  readonly told?: Told;
}

/** How one request ended, as far as it is told of. */
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
 * Runs one keyed request and tells of it: a span, a log line, the counters. The key itself stands in none of
 * them.
 *
 * @param work is given the request with a place for what becomes known on the way
 */
export async function observed<Request extends Observed>(
  ctx: EngineContext,
  operation: string,
  request: Request,
  work: (request: Request & { readonly told: Told }) => Promise<Answer>,
): Promise<Answer> {
  const told: Told = {};
  const facts = () => ({
    "idempotency.key_hash": ctx.log.keyHash(ctx.tenantId, request.key),
    "idempotency.operation": operation,
  });
  return inSpan(`execute ${operation}`, { facts }, async (span) => {
    let ended: Ended | undefined;
    try {
      const answer = await work({ ...request, told });
      ended = endOf(answer, told);
      return answer;
    } catch (error) {
      ended = endedBy(error);
      throw error;
    } finally {
      if (ended !== undefined) {
        span.set({
          "idempotency.attempt": told.row?.attempts,
          "idempotency.outcome": ended.outcome,
          "idempotency.operation_id": told.row?.operation_id,
        });
        tellAnswered(ctx, operation, request, told, ended);
      }
    }
  });
}

/** What broke may have had an effect: then it is unknown and not failed. */
export function endedBy(thrown: unknown): Ended {
  const error = toAppError(thrown);
  return { outcome: error.certainty === "indefinite" ? "unknown" : "failed", error };
}

function endOf(answer: Answer, told: Told): Ended {
  const state = answer.operation?.state ?? told.row?.state;
  switch (answer.outcome) {
    case "executed":
      return { outcome: answer.operation.state === "COMPLETED" ? "created" : "failed", state };
    case "replayed":
      return { outcome: told.row?.outcome === "stale" ? "recovered" : "replayed", state };
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
export function tellAnswered(ctx: EngineContext, operation: string, request: Observed, told: Told, ended: Ended): void {
  const { outcome, error } = ended;
  meters.requests.inc({ operation, outcome });
  const delay = retryDelay(told);
  // A conflict is another command, not a retry of this one.
  if (delay !== undefined && outcome !== "conflict") meters.retryDelay.observe({ operation }, delay);
  if (!ctx.log.writes("info")) return;
  const line = outcome === "replayed" || outcome === "in_progress" ? repeats.take() : { leftOut: 0 };
  if (line === undefined) return;
  ctx.log.info(
    {
      idempotencyKey: request.key,
      tenantId: ctx.tenantId,
      payloadHash: told.fingerprint?.toString("hex", 0, HASH_BYTES),
      status: told.status ?? error?.status ?? CONFLICT,
      attempt: told.row?.attempts,
      fromState: fromState(told),
      toState: ended.state,
      errorCode: told.code ?? error?.code,
      operation,
      operationId: told.row?.operation_id,
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
function retryDelay({ row }: Told): number | undefined {
  if (row?.created_at === undefined || row.created_at === null) return undefined;
  if (row.outcome === "claimed" && row.attempts === 1) return undefined;
  return (row.asked_at.getTime() - row.created_at.getTime()) / MS_PER_SECOND;
}

/** A claim says the state that it made; before it there was nothing, or a failed attempt. */
function fromState({ row }: Told): string | undefined {
  if (row?.outcome !== "claimed") return row?.state;
  return row.attempts > 1 ? "FAILED_RETRYABLE" : "NONE";
}
