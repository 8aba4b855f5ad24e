import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { TLSSocket } from "node:tls";
import { traceHeaders } from "@/engine/index";
import type { ProviderOptions } from "./port";

/** What is known after one HTTP exchange with a provider; the input of the classification. */
export type ProviderExchange =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** Parsed JSON; `undefined` when the body is not JSON. */
      readonly body: unknown;
      /** Seconds. */
      readonly retryAfter?: number;
    }
  | {
      readonly kind: "broken";
      /** False only while no connection existed (of TLS: none that was agreed on), so no byte of it can have arrived. */
      readonly sent: boolean;
      readonly cause: "timeout" | "aborted" | "connection" | "unreadable";
      readonly detail: string;
    };

export interface ExchangeRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_SOCKETS = 64;
/** Shorter than the provider's own idle time: a kept connection that the other side cuts would look like a lost answer. */
const IDLE_MS = 4_000;

/** Kept connections of one adapter, for both protocols. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  destroy(): void;
}

export function createAgents(): Agents {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: MAX_SOCKETS, timeout: IDLE_MS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    ...agents,
    destroy: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * One request, one answer, never a throw and never a retry. node:http instead of fetch because only it tells whether a
 * connection existed when the exchange broke.
 */
export function exchange(agents: Agents, wanted: ExchangeRequest, options: ProviderOptions): Promise<ProviderExchange> {
  return new Promise((resolve) => {
    const { signal, timeoutMs } = options;
    let sent = false;
    let cause: "timeout" | "aborted" | "connection" | "unreadable" = "connection";
    if (signal?.aborted) {
      resolve({ kind: "broken", sent, cause: "aborted", detail: "aborted before the request" });
      return;
    }
    const secure = wanted.url.protocol === "https:";
    const request = (secure ? httpsRequest : httpRequest)(wanted.url, {
      method: wanted.method,
      headers: {
        ...wanted.headers,
        // Of the span around this call; none while nobody exports spans.
        ...traceHeaders(),
        ...(wanted.body === undefined ? {} : { "content-length": Buffer.byteLength(wanted.body) }),
      },
      agent: secure ? agents.https : agents.http,
    });
    const stop = (why: "timeout" | "aborted"): void => {
      cause = why;
      request.destroy(new Error(why));
    };
    const onAbort = (): void => stop("aborted");
    const timer = setTimeout(() => stop("timeout"), timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    const finish = (result: ProviderExchange): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(result);
    };
    const fail = (error: Error): void => {
      finish({ kind: "broken", sent, cause, detail: describe(error) });
    };
    request.once("socket", (socket) => {
      // A kept connection may have carried bytes at once; a new one only after it is connected.
      if (socket.connecting)
        socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", () => {
          sent = true;
        });
      else sent = true;
    });
    request.on("error", fail);
    request.once("response", (response) => {
      readAnswer(response).then(finish, (error: unknown) => {
        if (cause === "connection") cause = "unreadable";
        fail(error instanceof Error ? error : new Error("unreadable answer"));
        request.destroy();
      });
    });
    request.end(wanted.body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<ProviderExchange> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error("answer is too large");
    chunks.push(chunk);
  }
  const retryAfter = Number(response.headers["retry-after"]);
  return {
    kind: "answered",
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: parse(Buffer.concat(chunks).toString("utf8")),
    ...(Number.isFinite(retryAfter) && retryAfter >= 0 ? { retryAfter } : {}),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A code such as ECONNREFUSED says more than the message, and neither carries anything of the body. */
function describe(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
