import { errorFor, type OnceboardError } from "./errors";
import type { PendingAction } from "./pending-store";
import { classOf, type AttemptRecord } from "./retry-log";
import { backoffMs, canHeal, isSettled, retryAfterMs, type Answered, type Schedule } from "./schedule";

export interface Transport {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly schedule: Schedule;
  readonly fetch: typeof fetch;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly onAttempt?: ((record: AttemptRecord, action: PendingAction) => void) | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly key: string;
  /** The server had the answer already (`Idempotent-Replayed`). */
  readonly replayed: boolean;
  readonly operationId?: string;
  readonly attempts: readonly AttemptRecord[];
}

export type Sent =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly settled: boolean; readonly error: OnceboardError };

type Tried =
  | { readonly kind: "answered"; readonly facts: Answered; readonly body: unknown; readonly headers: Headers }
  | { readonly kind: "silent"; readonly status: "timeout" | "network"; readonly reason: string };

/** Sends one action until it is answered, refused for good, or the budget is used up: always the same key and bytes. */
export async function send(transport: Transport, action: PendingAction, signal?: AbortSignal): Promise<Sent> {
  const { schedule, now } = transport;
  const deadline = now() + schedule.budgetMs;
  const attempts: AttemptRecord[] = [];
  let delayMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const timeoutMs = Math.max(1, Math.min(schedule.attemptTimeoutMs, deadline - now()));
    const tried = await tryOnce(transport, action, timeoutMs, signal);
    const record = { attempt, delayMs, ...describe(tried, attempt) };
    attempts.push(record);
    transport.onAttempt?.(record, action);
    if (tried.kind === "answered" && tried.facts.status < 300)
      return { ok: true, answer: toAnswer(tried, action, attempts) };
    const wanted = tried.kind === "answered" ? tried.facts.retryAfterMs : undefined;
    delayMs = Math.max(wanted ?? 0, backoffMs(schedule, attempt + 1, transport.random()));
    const hopeless = tried.kind === "answered" && !canHeal(tried.facts);
    const spent = attempt >= schedule.maxAttempts || now() + delayMs >= deadline || signal?.aborted;
    if (hopeless || spent) return giveUp(tried, action, attempts);
    await transport.sleep(delayMs, signal);
  }
}

async function tryOnce(
  transport: Transport,
  action: PendingAction,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Tried> {
  const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
  try {
    const response = await transport.fetch(`${transport.baseUrl}/api/v1${action.path}`, {
      method: "POST",
      headers: {
        ...transport.headers,
        authorization: `Bearer ${transport.apiKey}`,
        "content-type": "application/json",
        "idempotency-key": action.key,
        "x-request-timeout": String(Math.floor(timeoutMs)),
      },
      body: action.body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    const body = parse(text);
    // A success that cannot be read is a lost answer: the same key brings it back.
    if (response.ok && body === undefined && text !== "")
      return { kind: "silent", status: "network", reason: "unreadable answer" };
    return { kind: "answered", facts: readFacts(response, body, transport.now()), body, headers: response.headers };
  } catch (error) {
    if (timeout.aborted) return { kind: "silent", status: "timeout", reason: "timeout" };
    return { kind: "silent", status: "network", reason: signal?.aborted ? "aborted" : reasonOf(error) };
  }
}

function readFacts(response: Response, body: unknown, nowMs: number): Answered {
  return {
    status: response.status,
    code: textField(body, "code"),
    retryable: typeof field(body, "retryable") === "boolean" ? Boolean(field(body, "retryable")) : undefined,
    shouldRetry: response.headers.get("x-should-retry"),
    retryAfterMs: retryAfterMs(response.headers.get("retry-after"), nowMs),
  };
}

function toAnswer(
  tried: Tried & { kind: "answered" },
  action: PendingAction,
  attempts: readonly AttemptRecord[],
): Answer {
  const operationId = tried.headers.get("operation-id");
  return {
    status: tried.facts.status,
    body: tried.body,
    key: action.key,
    replayed: tried.headers.get("idempotent-replayed") === "true",
    ...(operationId === null ? {} : { operationId }),
    attempts,
  };
}

function giveUp(tried: Tried, action: PendingAction, attempts: readonly AttemptRecord[]): Sent {
  if (tried.kind === "silent") {
    return { ok: false, settled: false, error: errorFor(`No answer: ${tried.reason}.`, { key: action.key, attempts }) };
  }
  const { status, code } = tried.facts;
  const fields = field(tried.body, "differingFields");
  const detail =
    textField(tried.body, "detail") ?? textField(tried.body, "title") ?? `The server answered ${String(status)}.`;
  const error = errorFor(detail, {
    key: action.key,
    attempts,
    status,
    code,
    operationId: textField(tried.body, "operationId") ?? tried.headers.get("operation-id") ?? undefined,
    differingFields: Array.isArray(fields) ? fields.map(String) : undefined,
    retryAfterMs: tried.facts.retryAfterMs,
  });
  return { ok: false, settled: isSettled(tried.facts), error };
}

/** Notes as the playbook's log has them: "initial timeout", "proxy error", "success", else the error code. */
function describe(tried: Tried, attempt: number): Pick<AttemptRecord, "status" | "code" | "notes"> {
  if (tried.kind === "silent")
    return { status: tried.status, notes: attempt === 1 ? `initial ${tried.reason}` : tried.reason };
  const { status, code } = tried.facts;
  const replayed = tried.headers.get("idempotent-replayed") === "true";
  const plain = status < 300 ? (replayed ? "replayed" : "success") : status >= 500 ? "proxy error" : "refused";
  return { status: classOf(status), code: status, notes: code ?? plain };
}

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function textField(body: unknown, name: string): string | undefined {
  const value = field(body, name);
  return typeof value === "string" ? value : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "network error";
  const cause = error.cause;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "network error";
}
