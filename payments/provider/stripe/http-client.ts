import { AsyncLocalStorage } from "node:async_hooks";
import { Stripe } from "stripe";
import { exchange, type Agents, type ProviderExchange } from "../exchange";

type Answered = Extract<ProviderExchange, { kind: "answered" }>;
type Broken = Extract<ProviderExchange, { kind: "broken" }>;

/**
 * An exchange without an answer. Has no `code` on purpose: the SDK repeats a request whose error looks like a closed
 * connection, also with `maxNetworkRetries: 0`, and only the engine may repeat anything.
 */
export class BrokenExchangeError extends Error {
  readonly outcome: Broken;
  constructor(outcome: Broken) {
    super(`${outcome.cause}: ${outcome.detail}`);
    this.name = "BrokenExchangeError";
    this.outcome = outcome;
  }
}

/** What the SDK adds beyond these says what machine and program we are, and is not needed. */
const SENT_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "authorization",
  "content-type",
  "idempotency-key",
  "stripe-version",
]);

/**
 * The SDK's HTTP over our own exchange: it knows whether a connection existed when it broke, its limit is for the
 * whole exchange and not for silence only, it follows no redirect, and it never repeats.
 */
export class ExchangeHttpClient extends Stripe.HttpClient {
  readonly #agents: Agents;
  readonly #signals = new AsyncLocalStorage<AbortSignal | undefined>();

  constructor(agents: Agents) {
    super();
    this.#agents = agents;
  }

  /** Calls of the SDK have no signal of their own; those inside `work` end with this one. */
  abortable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return this.#signals.run(signal, work);
  }

  override getClientName(): string {
    return "node";
  }

  override async makeRequest(
    host: string,
    port: string,
    path: string,
    method: string,
    headers: object,
    requestData: string,
    protocol: string,
    timeout: number,
  ): Promise<ExchangeResponse> {
    const kept = Object.entries(headers)
      .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
      .filter(([name]) => SENT_HEADERS.has(name));
    const signal = this.#signals.getStore();
    const outcome = await exchange(
      this.#agents,
      {
        method: method === "GET" ? "GET" : "POST",
        url: new URL(path, `${protocol}://${host}:${port}`),
        headers: Object.fromEntries(kept),
        ...(method === "GET" ? {} : { body: requestData }),
      },
      { timeoutMs: timeout, ...(signal && { signal }) },
    );
    if (outcome.kind === "broken") throw new BrokenExchangeError(outcome);
    return new ExchangeResponse(outcome);
  }
}

/** `stripe-notice` is left out: the SDK would print it. */
class ExchangeResponse extends Stripe.HttpClientResponse {
  readonly #outcome: Answered;

  constructor(outcome: Answered) {
    const { "stripe-notice": _notice, ...headers } = outcome.headers;
    super(outcome.status, headers as Record<string, string>);
    this.#outcome = outcome;
  }

  /** The SDK hangs its own facts on this object. */
  override getRawResponse(): object {
    return { statusCode: this.#outcome.status };
  }

  /** What is no JSON object is refused here: a bare number or text would end the SDK's promise without an answer. */
  override toJSON(): Promise<object> {
    const { body } = this.#outcome;
    return typeof body === "object" && body !== null
      ? Promise.resolve(body)
      : Promise.reject(new SyntaxError("the answer is no JSON object"));
  }
}
