import type { Clock } from "./clock";
import { readFacts } from "./read-facts";
import { type ClientAnswerFacts, isSuccess } from "./schedule";

/** How requests are sent. */
export interface ClientTransport {
  readonly baseUrl: string;
  /** Asked before every attempt, so that a key may be rotated while an action is pending. */
  readonly apiKey: () => string | undefined | Promise<string | undefined>;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: RequestCredentials;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly maxAnswerBytes: number;
}

export interface ClientRequest {
  readonly method: "GET" | "POST";
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly key?: string | undefined;
}

export type Tried =
  | { readonly kind: "answered"; readonly facts: ClientAnswerFacts; readonly body: unknown }
  | { readonly kind: "silent"; readonly reason: SilentReason; readonly notes: string; readonly status?: number };
export type SilentReason = "timeout" | "network" | "unreadable" | "aborted";

/** Why an attempt was stopped, when it was us. */
const LATE = "late";

/** One request and its whole answer. Never rejects, never waits longer than `timeoutMs`, whatever the other side does. */
export async function tryOnce(
  transport: ClientTransport,
  exchange: ClientRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Tried> {
  const stop = new AbortController();
  const cancelTimer = transport.clock.after(timeoutMs, () => {
    stop.abort(LATE);
  });
  const giveUp = (): void => {
    stop.abort();
  };
  signal?.addEventListener("abort", giveUp);
  try {
    // A fetch that does not listen to its signal must not hold us up either.
    return await Promise.race([talk(transport, exchange, timeoutMs, stop.signal), whenAborted(stop.signal)]);
  } catch (error) {
    if (stop.signal.reason === LATE) return { kind: "silent", reason: "timeout", notes: "timeout" };
    if (signal?.aborted) return { kind: "silent", reason: "aborted", notes: "aborted" };
    return { kind: "silent", reason: "network", notes: reasonOf(error) };
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", giveUp);
    stop.abort();
  }
}

async function talk(
  transport: ClientTransport,
  exchange: ClientRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Tried> {
  const { method, path, body, key } = exchange;
  const apiKey = await transport.apiKey();
  const response = await transport.fetch(`${transport.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      ...transport.headers,
      accept: "application/json, application/problem+json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      "x-request-timeout": String(Math.floor(timeoutMs)),
    },
    ...(body === undefined ? {} : { body }),
    // A redirect would send the command, or turn it into a GET, to an address that nobody configured.
    redirect: "manual",
    cache: "no-store",
    credentials: transport.credentials,
    signal,
  });
  const text = await readText(response, transport.maxAnswerBytes);
  const parsed = text === undefined ? undefined : parse(text);
  if (isSuccess(response.status)) {
    const wrong = whyUnreadable(response, text, parsed, key);
    if (wrong !== undefined) return { kind: "silent", reason: "unreadable", notes: wrong, status: response.status };
  }
  return { kind: "answered", facts: readFacts(response, parsed, transport.clock.now()), body: parsed };
}

/** A success that cannot be read, or is somebody else's, is a lost answer: the same key brings the right one. */
function whyUnreadable(
  response: Response,
  text: string | undefined,
  parsed: unknown,
  key: string | undefined,
): string | undefined {
  if (text === undefined) return "answer too large";
  const echo = response.headers.get("idempotency-key");
  if (key !== undefined && echo !== null && echo !== key) return "answer of another key";
  if (text === "") return undefined;
  const type = response.headers.get("content-type") ?? "";
  return parsed === undefined || !/^[^;]*[/+]json\b/i.test(type) ? "unreadable answer" : undefined;
}

/** @returns `undefined` when it is larger than the limit; the rest is not read then. */
async function readText(response: Response, limit: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      // Not waited for: what sends without end may not stop either.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => {
      reject(new Error("aborted"));
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
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
  // Some have a code without a value: what is not HTTP, in Node 24.
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "network error";
}
