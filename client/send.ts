import { errorFor, type OnceboardError } from "./errors";
import { classOf, type AttemptRecord } from "./retry-log";
import { retryDelayMs, canRecover, isSettled, isSuccess, type Schedule } from "./schedule";
import { tryOnce, type ClientRequest, type ClientTransport, type Tried } from "./try-once";

export interface Answer<Body = unknown> {
  readonly status: number;
  /** Parsed JSON; `undefined` when the answer was empty. */
  readonly body: Body;
  /** The server had the answer already (`Idempotent-Replayed`). */
  readonly replayed: boolean;
  readonly operationId?: string;
  readonly attempts: readonly AttemptRecord[];
}

export type SendResult =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly settled: boolean; readonly error: OnceboardError };

export interface SendOptions {
  readonly schedule: Schedule;
  /** Number in [0, 1). */
  readonly random: () => number;
  /** It was sent before, by whoever: an earlier attempt may have had an effect. */
  readonly resumed: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onAttempt?: ((record: AttemptRecord) => void) | undefined;
  readonly onRetry?: ((delayMs: number, after: AttemptRecord) => void) | undefined;
}

/** What to do after an attempt. `ask`: the operation whose status is asked for until it is settled. */
type Step =
  | { readonly kind: "done" }
  | { readonly kind: "stop" }
  | { readonly kind: "again"; readonly ask?: string | undefined; readonly atOnce?: boolean };

const ABORTED: Tried = { kind: "silent", reason: "aborted", notes: "aborted" };

/**
 * Sends one exchange until it is answered, refused for good, or the budget is used up: always the same key and bytes.
 * A 202 of a request that is still at work is followed to its end, and its answer fetched by the same key.
 */
export async function sendAction(
  transport: ClientTransport,
  exchange: ClientRequest,
  options: SendOptions,
): Promise<SendResult> {
  const { schedule, signal } = options;
  const { clock } = transport;
  const deadline = clock.elapsed() + schedule.budgetMs;
  const attempts: AttemptRecord[] = [];
  let mayHaveActed = options.resumed;
  let ask: string | undefined;
  let delayMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const left = Math.max(1, deadline - clock.elapsed());
    const asked: ClientRequest = ask === undefined ? exchange : { method: "GET", path: `/operations/${ask}` };
    const tried = await tryOnce(transport, asked, Math.min(schedule.attemptTimeoutMs, left), signal);
    const record: AttemptRecord = { attempt, delayMs, ...described(tried, attempt) };
    attempts.push(record);
    options.onAttempt?.(record);
    const step = ask === undefined ? afterSending(tried) : afterAsking(tried, ask);
    if (step.kind === "done" && tried.kind === "answered") return { ok: true, answer: answerOf(tried, attempts) };
    const end = (last: Tried): SendResult => giveUp(last, exchange, attempts, mayHaveActed);
    if (step.kind !== "again") return end(tried);
    delayMs = step.atOnce ? 0 : delayAfter(tried, attempt, options);
    if (attempt >= schedule.maxAttempts || clock.elapsed() + delayMs >= deadline) return end(tried);
    if (!signal?.aborted) {
      options.onRetry?.(delayMs, record);
      await clock.sleep(delayMs, signal);
    }
    if (signal?.aborted) return end(ABORTED);
    if (clock.elapsed() >= deadline) return end(tried);
    mayHaveActed ||= couldHaveActed(tried);
    ask = step.ask;
  }
}

function afterSending(tried: Tried): Step {
  if (tried.kind === "silent") return tried.reason === "aborted" ? { kind: "stop" } : { kind: "again" };
  const { facts } = tried;
  if (facts.acceptedAs !== undefined) return { kind: "again", ask: facts.acceptedAs };
  if (isSuccess(facts.status)) return { kind: "done" };
  return canRecover(facts) ? { kind: "again" } : { kind: "stop" };
}

/** Settled, or not to be asked for: the key itself brings the answer, or says what is wrong. */
function afterAsking(tried: Tried, ask: string): Step {
  if (tried.kind === "silent") return tried.reason === "aborted" ? { kind: "stop" } : { kind: "again", ask };
  const { facts } = tried;
  if (isSuccess(facts.status))
    return facts.sameKey === "wait" ? { kind: "again", ask } : { kind: "again", atOnce: true };
  return canRecover(facts) ? { kind: "again", ask } : { kind: "again" };
}

function delayAfter(tried: Tried, attempt: number, { schedule, random }: SendOptions): number {
  const wanted = tried.kind === "answered" ? (tried.facts.retryAfterMs ?? 0) : 0;
  return Math.max(wanted, retryDelayMs(schedule, attempt + 1, random()));
}

/** Limits and refusals of the caller come before anything runs. */
function couldHaveActed(tried: Tried): boolean {
  return tried.kind === "silent" || tried.facts.status !== 429;
}

function answerOf(tried: Tried & { kind: "answered" }, attempts: readonly AttemptRecord[]): Answer {
  const { status, replayed, operationId } = tried.facts;
  return { status, body: tried.body, replayed, ...(operationId === undefined ? {} : { operationId }), attempts };
}

function giveUp(
  tried: Tried,
  exchange: ClientRequest,
  attempts: readonly AttemptRecord[],
  mayHaveActed: boolean,
): SendResult {
  // A success here is the status of an operation that is still open, never the answer of the key.
  const settled = tried.kind === "answered" && !isSuccess(tried.facts.status) && isSettled(tried.facts, mayHaveActed);
  return { ok: false, settled, error: errorFor(tried, exchange, attempts, settled) };
}

/** Notes as the published retry log has them: "initial timeout", "proxy error", "success", else the error code. */
function described(tried: Tried, attempt: number): Omit<AttemptRecord, "attempt" | "delayMs"> {
  if (tried.kind === "silent") {
    return {
      status: tried.reason === "timeout" ? "timeout" : "network",
      ...(tried.status === undefined ? {} : { code: tried.status }),
      notes: attempt === 1 ? `initial ${tried.notes}` : tried.notes,
    };
  }
  const { status, code, replayed, requestId } = tried.facts;
  return {
    status: classOf(status),
    code: status,
    notes: code ?? plainNote(status, replayed, tried.facts),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function plainNote(
  status: number,
  replayed: boolean,
  facts: { acceptedAs?: string | undefined; sameKey?: string | undefined },
): string {
  if (facts.acceptedAs !== undefined) return "accepted";
  if (facts.sameKey !== undefined) return facts.sameKey === "wait" ? "still in progress" : "settled";
  if (isSuccess(status)) return replayed ? "replayed" : "success";
  if (status >= 500) return "proxy error";
  return status < 400 ? "redirect" : "refused";
}
