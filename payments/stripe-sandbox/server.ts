import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerControl } from "./control";
import { invalid, type Reply } from "./reply";
import { answerApi } from "./routes";
import { createState, newId, type State } from "./state";

export interface StripeSandbox {
  readonly url: string;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 64 * 1024;
/** How long a silent connection is held before it is cut, ms. */
const SILENCE_MS = 60_000;
/** Longer than any caller's idle time, so that a kept connection is not cut under a request. */
const KEEP_ALIVE_MS = 75_000;
const GARBAGE = '{"id":"pi_\u0000<html><title>502</title>';

/**
 * Starts the pretend Stripe on 127.0.0.1: the part of API v1's wire format that the adapter uses.
 *
 * @param options.port 0 takes a free one @throws when the port is taken
 */
export async function startStripeSandbox(options: { readonly port: number }): Promise<StripeSandbox> {
  const state = createState();
  const server = createServer((request, response) => {
    handle(state, request, response).catch(() => {
      response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const port = await listen(server, options.port);
  return {
    url: `http://${HOST}:${String(port)}`,
    close: async () => {
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://${HOST}`);
  const method = request.method ?? "GET";
  const body = await readBody(request);
  if (body === undefined) {
    send(response, invalid("The body is too large."));
    return;
  }
  const outcome = url.pathname.startsWith("/_control/")
    ? answerControl(state, method, url.pathname, body)
    : await answerApi(state, {
        method,
        url,
        body,
        authorization: request.headers.authorization,
        idempotencyKey: headerOf(request, "idempotency-key"),
        contentType: request.headers["content-type"],
      });
  if (outcome === "reset") {
    request.socket.resetAndDestroy();
  } else if (outcome === "silence") {
    const timer = setTimeout(() => request.socket.destroy(), SILENCE_MS);
    timer.unref();
    response.once("close", () => {
      clearTimeout(timer);
    });
  } else if (outcome === "garbage") {
    response.writeHead(200, { "content-type": "application/json" }).end(GARBAGE);
  } else {
    send(response, outcome);
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function send(response: ServerResponse, reply: Reply): void {
  const headers = { "content-type": "application/json", "request-id": newId("req_"), ...reply.headers };
  response.writeHead(reply.status, headers).end(JSON.stringify(reply.body));
}

/** @returns undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
