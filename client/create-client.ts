import type { Account, AccountInput, OperationStatus, Payment, PaymentInput, Refund, RefundInput } from "./api-types";
import { systemClock, type Clock } from "./clock";
import { OnceboardError } from "./errors";
import { callHook, type Hooks } from "./hooks";
import { checkedBaseUrl, checkedHeaders, openAction } from "./open-action";
import { createMemoryStore, type PendingAction, type PendingStore } from "./pending-store";
import type { AttemptRecord } from "./retry-log";
import { DEFAULT_SCHEDULE, type Schedule } from "./schedule";
import { sendAction, type Answer } from "./send";
import type { ClientTransport } from "./try-once";

export interface ClientOptions extends Hooks {
  /** Origin of the API, e.g. `https://pay.example.com`. */
  readonly baseUrl: string;
  /** An API key, or what gives the current one; without it no `Authorization` is sent. */
  readonly apiKey?: string | (() => string | undefined | Promise<string | undefined>);
  /** Where keys of pending actions are kept; memory if not given, which forgets them with the page or process. */
  readonly store?: PendingStore;
  readonly schedule?: Partial<Schedule>;
  /** Sent with every request, e.g. `Prefer`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `omit` if not given: a key proves who calls, no cookie. */
  readonly credentials?: RequestCredentials;
  /** Another HTTP client in the shape of `fetch`; the global one if not given. */
  readonly fetch?: typeof fetch;
  /** Longest answer that is read, bytes. */
  readonly maxAnswerBytes?: number;
  /** Number in [0, 1). */
  readonly random?: () => number;
  readonly clock?: Clock;
}

export interface PostOptions {
  /** Own key, 1–255 visible ASCII without comma, quote, semicolon or space; a UUIDv7 if not given. */
  readonly key?: string;
  /** Names the business action: while it is pending, posting it again (a reload, a double click) reuses its key. */
  readonly action?: string;
  readonly signal?: AbortSignal;
}
export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface KeyedAnswer<Body = unknown> extends Answer<Body> {
  readonly key: string;
}

export type Resumed =
  | { readonly action: PendingAction; readonly ok: true; readonly answer: KeyedAnswer }
  | { readonly action: PendingAction; readonly ok: false; readonly error: OnceboardError };

/** Every method rejects with an {@link OnceboardError}; its `pending` says that the outcome is not known and the key is kept. */
export interface OnceboardClient {
  readonly payments: {
    create(input: PaymentInput, options?: PostOptions): Promise<KeyedAnswer<Payment>>;
    void(paymentId: string, options?: PostOptions): Promise<KeyedAnswer<Payment>>;
  };
  readonly refunds: { create(input: RefundInput, options?: PostOptions): Promise<KeyedAnswer<Refund>> };
  readonly accounts: { create(input: AccountInput, options?: PostOptions): Promise<KeyedAnswer<Account>> };
  readonly operations: { status(operationId: string, options?: ReadOptions): Promise<Answer<OperationStatus>> };
  /** @param path below `/api/v1`, e.g. `/payments` */
  post<Body = unknown>(path: string, body: unknown, options?: PostOptions): Promise<KeyedAnswer<Body>>;
  get<Body = unknown>(path: string, options?: ReadOptions): Promise<Answer<Body>>;
  /** Sends every pending action of this API again under its own key, oldest first; call it when the program starts. */
  resume(options?: ReadOptions): Promise<Resumed[]>;
  /** Actions of this API whose outcome is not known, oldest first. */
  pending(): Promise<PendingAction[]>;
  /** Gives a pending key up, after a look at what became of it. */
  forget(key: string): Promise<void>;
}

const MAX_ANSWER_BYTES = 8 * 1_024 * 1_024;
/** Pending actions that are resumed at the same time. */
const RESUME_AT_ONCE = 4;

/**
 * A client that turns retries into one effect: one key per business action, kept until the outcome is known.
 * @throws TypeError when an option cannot be used
 */
export function createClient(options: ClientOptions): OnceboardClient {
  const store = options.store ?? createMemoryStore();
  const transport = toTransport(options);
  const { baseUrl } = transport;
  const common = { schedule: { ...DEFAULT_SCHEDULE, ...options.schedule }, random: options.random ?? Math.random };
  const atWork = new Set<string>();

  async function run(action: PendingAction, resumed: boolean, signal?: AbortSignal): Promise<KeyedAnswer> {
    const { path, key } = action;
    const exchange = { method: "POST", path, key, ...(action.body === "" ? {} : { body: action.body }) } as const;
    const hooks = {
      onAttempt: (record: AttemptRecord) => {
        callHook(() => options.onAttempt?.(record, action));
      },
      onRetry: (delayMs: number, after: AttemptRecord) => {
        callHook(() => options.onRetry?.({ delayMs, after }, action));
      },
    };
    atWork.add(key);
    const sent = await sendAction(transport, exchange, { ...common, ...hooks, resumed, signal }).finally(() =>
      atWork.delete(key),
    );
    // The outcome is known, whether its key can be forgotten or not: at worst it is asked for once more.
    const storeError = sent.ok || sent.settled ? await failureOf(store.remove(action)) : undefined;
    const outcome = sent.ok ? { answer: sent.answer } : { error: sent.error };
    callHook(() => options.onSettled?.({ ...outcome, storeError }, action));
    if (!sent.ok) throw sent.error;
    return { ...sent.answer, key };
  }
  async function post<Body>(path: string, body: unknown, given: PostOptions = {}): Promise<KeyedAnswer<Body>> {
    given.signal?.throwIfAborted();
    const { action, resumed } = await openAction(store, { baseUrl, path, body, now: transport.clock.now(), ...given });
    return (await run(action, resumed, given.signal)) as KeyedAnswer<Body>;
  }
  async function get<Body>(path: string, { signal }: ReadOptions = {}): Promise<Answer<Body>> {
    signal?.throwIfAborted();
    const sent = await sendAction(transport, { method: "GET", path }, { ...common, resumed: false, signal });
    if (!sent.ok) throw sent.error;
    return sent.answer as Answer<Body>;
  }
  const pending = async (): Promise<PendingAction[]> =>
    (await store.list()).filter((action) => action.baseUrl === baseUrl);
  return {
    payments: {
      create: (input, given) => post("/payments", input, given),
      void: (paymentId, given) => post(`/payments/${encodeURIComponent(paymentId)}/void`, {}, given),
    },
    refunds: { create: (input, given) => post("/refunds", input, given) },
    accounts: { create: (input, given) => post("/accounts", input, given) },
    operations: { status: (operationId, given) => get(`/operations/${encodeURIComponent(operationId)}`, given) },
    post,
    get,
    pending,
    async resume({ signal } = {}) {
      // What this very client is sending needs no second sender.
      const waiting = (await pending()).filter((action) => !atWork.has(action.key));
      return await inParallel(waiting, RESUME_AT_ONCE, (action) => resumed(action, () => run(action, true, signal)));
    },
    async forget(key) {
      for (const action of await pending()) if (action.key === key) await store.remove(action);
    },
  };
}

async function resumed(action: PendingAction, run: () => Promise<KeyedAnswer>): Promise<Resumed> {
  try {
    return { action, ok: true, answer: await run() };
  } catch (error) {
    if (error instanceof OnceboardError) return { action, ok: false, error };
    throw error;
  }
}

function toTransport(options: ClientOptions): ClientTransport {
  const { apiKey } = options;
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: typeof apiKey === "function" ? apiKey : () => apiKey,
    headers: checkedHeaders(options.headers ?? {}, typeof apiKey === "string" ? apiKey : undefined),
    credentials: options.credentials ?? "omit",
    // Called through a closure: a browser's fetch refuses to be a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock: options.clock ?? systemClock,
    maxAnswerBytes: options.maxAnswerBytes ?? MAX_ANSWER_BYTES,
  };
}

/** Results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const next = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of next) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}
