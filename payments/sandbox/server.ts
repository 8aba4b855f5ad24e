import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createAccountFaults } from "./account-faults";
import { problem, type Reply, type SandboxContext } from "./context";
import { answerControl } from "./control";
import { NO_FAULTS, seededRandom } from "./faults";
import { openLedger } from "./ledger";
import { answerProvider } from "./routes";
import { createWebhookSender, type WebhookTarget } from "./webhooks";

export interface SandboxOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly webhook?: WebhookTarget;
  /** Same seed, same faults. */
  readonly seed?: number;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 64 * 1024;
/** How long a silent connection is held before it is cut, ms. */
const SILENCE_MS = 60_000;
/** Longer than any caller's idle time, so that a kept connection is not cut under a request. */
const KEEP_ALIVE_MS = 75_000;
const DEFAULT_SEED = 1;

/**
 * Starts the pretend provider on 127.0.0.1.
 * @throws when the port is taken or the ledger file is unreadable.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ledger = openLedger(options.dataDir);
  const random = seededRandom(options.seed ?? DEFAULT_SEED);
  const context: SandboxContext = {
    ledger,
    webhooks: createWebhookSender(options.webhook),
    faults: NO_FAULTS,
    // A rate of 0 draws nothing, so one fault's dice do not depend on which others are switched on.
    hit: (faults, kind) => faults[kind] > 0 && random() < faults[kind],
    accounts: createAccountFaults(() => context.faults),
  };
  const server = createServer((request, response) => {
    handle(context, request, response).catch(() => {
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
    port,
    close: async () => {
      context.webhooks.close();
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      for (const socket of sockets) socket.destroy();
      await closed;
      ledger.close();
    },
  };
}

async function handle(context: SandboxContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://${HOST}`);
  const body = await readBody(request);
  if (body === undefined) {
    send(response, { status: 413, body: problem("too_large", "The body is too large.") });
    return;
  }
  const outcome = url.pathname.startsWith("/_control/")
    ? answerControl(context, request.method ?? "GET", url, body)
    : await answerProvider(context, request, url, body);
  if (outcome === "reset") {
    request.socket.resetAndDestroy();
  } else if (outcome === "silence") {
    const timer = setTimeout(() => request.socket.destroy(), SILENCE_MS);
    timer.unref();
    response.once("close", () => {
      clearTimeout(timer);
    });
  } else if ("raw" in outcome) {
    response.writeHead(200, { "content-type": "application/json" }).end(outcome.raw);
  } else {
    send(response, outcome);
  }
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
  response.end(JSON.stringify(reply.body));
}

/** @returns the parsed JSON, `null` when empty or not JSON, `undefined` when too large. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    return null;
  }
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
