import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { publicLookup } from "@/engine/transports/safe-destination";

/** Bytes of an answer that are read; nothing in it matters but the status. */
const ANSWER_LIMIT_BYTES = 8_192;
/** Connections to one endpoint that stay open. */
const SOCKETS_PER_HOST = 8;
const SOCKETS = 256;

export interface Poster {
  /** @returns the status. @throws Error with a `code` when there was none, `ETIMEDOUT` after `timeoutMs` */
  post(
    url: URL,
    request: { readonly body: string; readonly headers: Readonly<Record<string, string>>; readonly timeoutMs: number },
  ): Promise<number>;
  close(): void;
}

/**
 * Sends to addresses that somebody else chose. Never follows a redirect, reads little, ends in time.
 *
 * @param options.allowPrivate without it only addresses of the open internet are connected to
 * @param options.lookup instead of the one that this implies, for tests
 */
export function createPoster(options: { readonly allowPrivate: boolean; readonly lookup?: LookupFunction }): Poster {
  const lookup = options.lookup ?? (options.allowPrivate ? undefined : publicLookup());
  const pool = { keepAlive: true, maxSockets: SOCKETS_PER_HOST, maxTotalSockets: SOCKETS, ...(lookup && { lookup }) };
  const agents = { http: new HttpAgent(pool), https: new HttpsAgent(pool) };
  return {
    post: (url, { body, headers, timeoutMs }) =>
      new Promise((resolve, reject) => {
        const secure = url.protocol === "https:";
        const send = secure ? httpsRequest : httpRequest;
        const bytes = Buffer.from(body);
        const outgoing = send(url, {
          method: "POST",
          agent: secure ? agents.https : agents.http,
          headers: { ...headers, "content-length": String(bytes.length) },
          ...(lookup && { lookup }),
        });
        const late = setTimeout(() => outgoing.destroy(new TimedOutError()), timeoutMs);
        outgoing.on("error", reject);
        outgoing.on("close", () => {
          clearTimeout(late);
          reject(new Error("the connection was closed"));
        });
        outgoing.on("response", (incoming) => {
          resolve(incoming.statusCode ?? 0);
          drain(incoming);
        });
        outgoing.end(bytes);
      }),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Reads what is left of an answer, which frees the connection for the next request, and gives a long one up. */
function drain(incoming: IncomingMessage): void {
  let size = 0;
  incoming.on("error", () => undefined);
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > ANSWER_LIMIT_BYTES) incoming.destroy();
  });
}

export class TimedOutError extends Error {
  readonly code = "ETIMEDOUT";
  constructor() {
    super("no answer in time");
    this.name = "TimedOutError";
  }
}
