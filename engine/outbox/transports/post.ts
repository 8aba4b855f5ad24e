import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { publicLookup } from "./safe-destination";

/** Bytes of an answer that are read: enough for a problem document's code. */
const ANSWER_LIMIT_BYTES = 8_192;
/** Connections to one endpoint that stay open. */
const SOCKETS_PER_HOST = 8;
const SOCKETS = 256;

export interface PostRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of this status the answer itself is wanted too. */
  readonly readOf?: number;
}

export interface PostAnswer {
  readonly status: number;
  /** Of the wanted status its beginning; otherwise empty. */
  readonly text: string;
}

export type Poster = ReturnType<typeof createPoster>;

/** For addresses that somebody else chose: follows no redirect, reads little, ends in time. @param options.lookup for tests */
export function createPoster(options: { readonly allowPrivate: boolean; readonly lookup?: LookupFunction }) {
  const lookup = options.lookup ?? (options.allowPrivate ? undefined : publicLookup());
  const pool = { keepAlive: true, maxSockets: SOCKETS_PER_HOST, maxTotalSockets: SOCKETS, ...(lookup && { lookup }) };
  const agents = { http: new HttpAgent(pool), https: new HttpsAgent(pool) };
  return {
    /** @throws Error with a `code` when there was no answer, `ETIMEDOUT` after `timeoutMs`, `EUNSAFE` when it would have gone somewhere inside */
    post: (url: URL, { body, headers, timeoutMs, readOf }: PostRequest): Promise<PostAnswer> =>
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
        let answered = false;
        const late = setTimeout(() => outgoing.destroy(new TimedOutError()), timeoutMs);
        outgoing.on("error", reject);
        outgoing.on("close", () => {
          clearTimeout(late);
          if (!answered) reject(new Error("the connection was closed"));
        });
        outgoing.on("response", (incoming) => {
          answered = true;
          const status = incoming.statusCode ?? 0;
          const read = drain(incoming);
          if (status !== readOf) resolve({ status, text: "" });
          // What was read of one that breaks off is enough, and the time is bounded as a whole.
          else void read.then((text) => resolve({ status, text }));
        });
        outgoing.end(bytes);
      }),
    close(): void {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Reads an answer to its end, which frees the connection for the next request, and gives a long one up. @returns its beginning */
function drain(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on("error", () => undefined);
  incoming.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ANSWER_LIMIT_BYTES) incoming.destroy();
  });
  return new Promise((resolve) => incoming.once("close", () => resolve(Buffer.concat(chunks).toString("utf8"))));
}

export class TimedOutError extends Error {
  readonly code = "ETIMEDOUT";
  constructor() {
    super("no answer in time");
    this.name = "TimedOutError";
  }
}
