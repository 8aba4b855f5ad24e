import type { ClaimRow } from "@/db/statements/claim";
import { toAppError } from "@/domain/errors";
import type { Answer } from "./answer";
import type { EngineContext } from "./context";
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

/** The end of one request: what was decided, or what was thrown. */
type End = { readonly answer: Answer } | { readonly error: unknown };

const repeats = createLineBudget(REPEAT_LINES_PER_SECOND);
const CONFLICT = 409;
const MS_PER_SECOND = 1_000;

/**
 * Runs one keyed request and tells of it: a span, a log line, the counters (S3.8, S4.12). The key itself stands in none of
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
    let end: End | undefined;
    try {
      const answer = await work({ ...request, told });
      end = { answer };
      return answer;
    } catch (error) {
      end = { error };
      throw error;
    } finally {
      if (end !== undefined) {
        const outcome = outcomeOf(end, told);
        span.set({
          "idempotency.attempt": told.row?.attempts,
          "idempotency.outcome": outcome,
          "idempotency.operation_id": told.row?.operation_id,
        });
        count(operation, outcome, told);
        writeLine(ctx, operation, request, told, end, outcome);
      }
    }
  });
}

function outcomeOf(end: End, told: Told): MeterOutcome {
  if ("error" in end) return "failed";
  const { answer } = end;
  switch (answer.outcome) {
    case "executed":
      return answer.operation.state === "COMPLETED" ? "created" : "failed";
    case "replayed":
      return told.row?.outcome === "stale" ? "recovered" : "replayed";
    case "purged":
      return "replayed";
    case "refused":
      return answer.operation?.state === "UNKNOWN_REQUIRES_RECOVERY" ? "unknown" : "failed";
    case "conflict":
    case "in_progress":
    case "expired":
    case "unknown":
      return answer.outcome;
  }
}

function count(operation: string, outcome: MeterOutcome, told: Told): void {
  meters.requests.inc({ operation, outcome });
  const first = told.row?.created_at;
  // A conflict is another command, not a retry of this one.
  if (told.row === undefined || first === undefined || first === null || outcome === "conflict") return;
  const again = told.row.outcome !== "claimed" || told.row.attempts > 1;
  if (again) meters.retryDelay.observe({ operation }, (told.row.asked_at.getTime() - first.getTime()) / MS_PER_SECOND);
}

function writeLine(
  ctx: EngineContext,
  operation: string,
  request: Observed,
  told: Told,
  end: End,
  outcome: MeterOutcome,
): void {
  if (!ctx.log.writes("info")) return;
  let leftOut: number | undefined;
  if (outcome === "replayed" || outcome === "in_progress") {
    const line = repeats.take();
    if (line === undefined) return;
    leftOut = line.leftOut === 0 ? undefined : line.leftOut;
  }
  const thrown = "error" in end ? toAppError(end.error) : undefined;
  const answer = "answer" in end ? end.answer : undefined;
  const refused = answer?.outcome === "refused" ? answer.error : thrown;
  ctx.log.info(
    {
      idempotencyKey: request.key,
      tenantId: ctx.tenantId,
      payloadHash: told.fingerprint?.toString("hex", 0, HASH_BYTES),
      status: told.status ?? refused?.status ?? CONFLICT,
      attempt: told.row?.attempts,
      fromState: fromState(told),
      toState: answer?.operation?.state ?? told.row?.state,
      errorCode: told.code ?? refused?.code,
      operation,
      operationId: told.row?.operation_id,
      outcome,
      requestId: ctx.requestId,
      traceId: traceIdIn(ctx.traceparent),
      latencyMs: performance.now() - request.receivedAt,
      leftOut,
    },
    "answered",
  );
}

const HASH_BYTES = 8;

/** A claim says the state that it made; before it there was nothing, or a failed attempt. */
function fromState({ row }: Told): string | undefined {
  if (row?.outcome !== "claimed") return row?.state;
  return row.attempts > 1 ? "FAILED_RETRYABLE" : "NONE";
}
