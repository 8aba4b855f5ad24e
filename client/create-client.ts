import { OnceboardError, PendingActionError } from "./errors";
import { createMemoryStore, type PendingAction, type PendingStore } from "./pending-store";
import type { AttemptRecord } from "./retry-log";
import { DEFAULT_SCHEDULE, type Schedule } from "./schedule";
import { send, type Answer, type Transport } from "./send";
import { uuidv7 } from "./uuidv7";

export interface ClientOptions {
  /** Origin of the API, e.g. `https://pay.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where keys of pending actions are kept; memory if not given. */
  readonly store?: PendingStore;
  readonly schedule?: Partial<Schedule>;
  /** Sent with every request, e.g. `Prefer`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
  /** Number in [0, 1). */
  readonly random?: () => number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly onAttempt?: (record: AttemptRecord, action: PendingAction) => void;
}

export interface PostOptions {
  /** Own key; a UUIDv7 if not given. */
  readonly key?: string;
  /** Names the business action: while it is pending, posting it again (a reload, a second click) reuses its key. */
  readonly action?: string;
  readonly signal?: AbortSignal;
}

export interface TypedAnswer<T> extends Answer {
  readonly body: T;
}
export interface Payment {
  readonly paymentId: string;
  readonly status: string;
  readonly accountId: string;
  readonly amount: string;
  readonly currency: string;
  readonly merchantReference: string | null;
  readonly channel: string;
  readonly createdAt: string;
}
export interface Refund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amount: string;
  readonly status: string;
  readonly createdAt: string;
}
/** Decimal string, or an integer of minor units. */
export type AmountInput = string | number;
export interface PaymentInput {
  readonly accountId: string;
  readonly amount: AmountInput;
  readonly currency: string;
  readonly merchantReference?: string;
  readonly channel?: string;
}

export type Resumed =
  | { readonly action: PendingAction; readonly ok: true; readonly answer: Answer }
  | { readonly action: PendingAction; readonly ok: false; readonly error: OnceboardError };

export interface OnceboardClient {
  /** @throws OnceboardError; `error.pending` says that the outcome is not known and the key is kept. */
  post(path: string, body: unknown, options?: PostOptions): Promise<Answer>;
  createPayment(input: PaymentInput, options?: PostOptions): Promise<TypedAnswer<Payment>>;
  createRefund(
    input: { readonly paymentId: string; readonly amount: AmountInput; readonly reason?: string },
    options?: PostOptions,
  ): Promise<TypedAnswer<Refund>>;
  voidPayment(paymentId: string, options?: PostOptions): Promise<TypedAnswer<Payment>>;
  createAccount(
    input: { readonly accountId: string; readonly currency: string },
    options?: PostOptions,
  ): Promise<TypedAnswer<{ readonly accountId: string; readonly currency: string }>>;
  /** Sends every pending action again under its own key, oldest first; call it when the program starts. */
  resumePending(): Promise<Resumed[]>;
}

/** A client that turns retries into one effect: one key per business action, kept until the outcome is known (S1.4, S3.3). */
export function createClient(options: ClientOptions): OnceboardClient {
  const store = options.store ?? createMemoryStore();
  const transport = toTransport(options);
  const run = async (action: PendingAction, signal?: AbortSignal): Promise<Answer> => {
    const sent = await send(transport, action, signal);
    if (sent.ok || sent.settled) await store.remove(action.key);
    if (!sent.ok) throw sent.error;
    return sent.answer;
  };
  const post = async (path: string, body: unknown, given: PostOptions = {}): Promise<Answer> => {
    const action = await openAction(store, transport.now(), path, JSON.stringify(body), given);
    return await run(action, given.signal);
  };
  const typed = async <T>(path: string, body: unknown, given?: PostOptions): Promise<TypedAnswer<T>> => {
    const answer = await post(path, body, given);
    return { ...answer, body: answer.body as T };
  };
  return {
    post,
    createPayment: (input, given) => typed("/payments", input, given),
    createRefund: (input, given) => typed("/refunds", input, given),
    voidPayment: (paymentId, given) => typed(`/payments/${encodeURIComponent(paymentId)}/void`, {}, given),
    createAccount: (input, given) => typed("/accounts", input, given),
    resumePending: async () => {
      const resumed: Resumed[] = [];
      for (const action of await store.list()) {
        try {
          resumed.push({ action, ok: true, answer: await run(action) });
        } catch (error) {
          if (!(error instanceof OnceboardError)) throw error;
          resumed.push({ action, ok: false, error });
        }
      }
      return resumed;
    },
  };
}

/** The key is stored before the first byte leaves: a crash in between must not lose it. */
async function openAction(
  store: PendingStore,
  now: number,
  path: string,
  body: string,
  given: PostOptions,
): Promise<PendingAction> {
  const pending =
    given.action === undefined ? undefined : (await store.list()).find((candidate) => candidate.name === given.action);
  if (pending) {
    if (pending.path === path && pending.body === body) return pending;
    throw new PendingActionError(`"${given.action ?? ""}" is pending with other content.`, {
      key: pending.key,
      attempts: [],
    });
  }
  const action: PendingAction = {
    key: given.key ?? uuidv7(now),
    ...(given.action === undefined ? {} : { name: given.action }),
    path,
    body,
    createdAt: now,
  };
  await store.put(action);
  return action;
}

function toTransport(options: ClientOptions): Transport {
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    apiKey: options.apiKey,
    headers: options.headers ?? {},
    schedule: { ...DEFAULT_SCHEDULE, ...options.schedule },
    // Called through a closure: a browser's fetch refuses to be a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    onAttempt: options.onAttempt,
  };
}

/** Ends early, without an error, when the caller gives up: the next attempt then says so. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}
