import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

const CALL_TIMEOUT_MS = 20_000;
const CONTROL_TIMEOUT_MS = 3_000;
const SUFFIX_BYTES = 3;
/** An account with fault rates of its own, even zero, does not meet the faults that everybody else meets. */
const WELL = { down: 0 };

/** What a caller got. */
export interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  readonly operationId: string | undefined;
  readonly replayed: boolean;
}

export interface SceneOptions {
  /** Of the console and its API. */
  readonly baseUrl: string;
  readonly sandboxUrl: string;
  /** API key by client name. */
  readonly keys: Readonly<Record<string, string>>;
  /** Seconds that a trouble lasts. */
  readonly seconds: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What an incident is played with: callers, and a provider that has troubles with one account only. */
export interface Scene extends Pick<SceneOptions, "seconds" | "say"> {
  /** New in each run, so that a second run shows again what the first one did. */
  readonly run: string;
  pay(client: string, payment: PaymentFacts): Promise<Answered>;
  /** Of one account; nothing said: it is well, whatever the others go through. */
  provider(account: string, faults?: Readonly<Record<string, number>>): Promise<void>;
  /** @returns early when the whole is stopped */
  rest(seconds: number): Promise<void>;
  link(path: string): string;
}

export interface PaymentFacts {
  readonly key: string;
  readonly account: string;
  readonly amount: string;
  readonly reference: string;
  readonly channel?: string | undefined;
}

export type IncidentScript = (scene: Scene) => Promise<void>;

export function createScene(options: SceneOptions): Scene {
  const { baseUrl, sandboxUrl, keys, seconds, say, signal } = options;
  return {
    seconds,
    say,
    run: randomBytes(SUFFIX_BYTES).toString("hex"),
    link: (path) => `${baseUrl}${path}`,
    async pay(client, payment) {
      const answer = await call(`${baseUrl}/api/v1/payments`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${keys[client] ?? ""}`,
          "content-type": "application/json",
          "idempotency-key": payment.key,
        },
        body: JSON.stringify({
          accountId: payment.account,
          amount: payment.amount,
          currency: "EUR",
          merchantReference: payment.reference,
          channel: payment.channel ?? "web",
        }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      });
      if (answer === undefined) return { status: 0, code: "no answer", operationId: undefined, replayed: false };
      const body = (await answer.json().catch(() => ({}))) as { readonly code?: unknown };
      return {
        status: answer.status,
        code: typeof body.code === "string" ? body.code : undefined,
        operationId: answer.headers.get("operation-id") ?? undefined,
        replayed: answer.headers.get("idempotent-replayed") === "true",
      };
    },
    async provider(account, faults = WELL) {
      const answer = await fetch(`${sandboxUrl}/_control/accounts/${account}/faults`, {
        method: "POST",
        body: JSON.stringify(faults),
        signal: AbortSignal.timeout(CONTROL_TIMEOUT_MS),
      });
      if (!answer.ok) throw new Error(`The pretend provider refused its troubles: ${await answer.text()}`);
    },
    rest: (length) => wait(length * 1_000, undefined, { signal }).catch(() => undefined),
  };
}

/** @returns undefined when the connection broke or the time was over: a caller's own trouble, and no reason to end the scene */
async function call(url: string, init: RequestInit): Promise<Response | undefined> {
  return fetch(url, init).catch(() => undefined);
}

/** "504 dependency.timeout" */
export function answerText({ status, code, replayed }: Answered): string {
  if (status === 0) return "nothing: no answer came";
  return `${String(status)}${code === undefined ? "" : ` ${code}`}${replayed ? ", replayed" : ""}`;
}
