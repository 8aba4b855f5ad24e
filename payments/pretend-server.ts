import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a pretend provider does with a request: it answers, breaks the connection off, says nothing, or sends no readable JSON. */
export type Outcome = Reply | "reset" | "silence" | "garbage";

export interface PretendServer {
  readonly url: string;
  readonly port: number;
  /** Cuts every connection. */
  close(): Promise<void>;
}

export type Faults<Kind extends string> = Readonly<Record<Kind, number>>;

/**
 * Faults on demand of a pretend provider: named kinds change, others stay, an empty object clears all.
 *
 * @param read the number that a kind is set to, or one sentence that says what is wrong
 */
export function faultsOf<Kind extends string>(
  kinds: readonly Kind[],
  read: (kind: Kind, given: unknown) => number | string,
) {
  const none = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Faults<Kind>;
  const change = (current: Faults<Kind>, wanted: unknown): Faults<Kind> | string => {
    if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted))
      return "The body must be a JSON object.";
    const next: Record<Kind, number> = { ...current };
    for (const [name, given] of Object.entries(wanted)) {
      const kind = kinds.find((known) => known === name);
      if (kind === undefined) return `Unknown fault kind "${name}". Known: ${kinds.join(", ")}.`;
      const value = read(kind, given);
      if (typeof value === "string") return value;
      next[kind] = value;
    }
    return Object.keys(wanted).length === 0 ? none : next;
  };
  return { none, change };
}

/** @returns `null` when it is empty or not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const MAX_PORT = 65_535;

/** @throws when the variable holds no port number */
function portOf(variable: string, byDefault: number): number {
  const port = Number(process.env[variable] ?? byDefault);
  if (!(Number.isInteger(port) && port >= 0 && port <= MAX_PORT)) throw new Error(`${variable} is not a port number.`);
  return port;
}

/** The process of a pretend provider: it starts, says where, and ends on a signal or with its parent. */
export async function runPretendServer(
  name: string,
  port: { readonly variable: string; readonly byDefault: number },
  start: (port: number) => Promise<PretendServer>,
): Promise<void> {
  try {
    const server = await start(portOf(port.variable, port.byDefault));
    // Started with an IPC channel, it ends with its parent instead of keeping the port.
    for (const event of ["SIGTERM", "SIGINT", "disconnect"]) {
      process.once(event, () => void server.close().then(() => process.exit(0)));
    }
    process.stdout.write(`${name} on ${server.url}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 64 * 1024;
/** How long a silent connection is held before it is cut, ms. */
const SILENCE_MS = 60_000;
/** Longer than any caller's idle time, so that a kept connection is not cut under a request. */
const KEEP_ALIVE_MS = 75_000;

/** An answer that looks like one and is not readable. */
const GARBAGE = '{"id":"\u0000<html><title>502</title>';

interface Provider {
  answer(request: IncomingMessage, url: URL, body: string): Outcome | Promise<Outcome>;
  /** `/_control/*`: how a demo or a test steers the provider. @param route method and path @returns undefined when it has no such control */
  control(route: string, url: URL, body: unknown): Reply | undefined;
  /** An error in the provider's own shape. */
  refuse(status: 404 | 413, message: string): Reply;
  /** Of every answer. */
  headers?(): Readonly<Record<string, string>>;
}

/**
 * The HTTP server of a pretend provider, on 127.0.0.1. A provider is another company's program: it shares only this with the others.
 *
 * @param port 0 takes a free one
 * @throws when the port is taken
 */
export async function startPretendServer(port: number, provider: Provider): Promise<PretendServer> {
  const outcomeOf = async (request: IncomingMessage, url: URL): Promise<Outcome> => {
    const body = await readBody(request);
    if (body === undefined) return provider.refuse(413, "The body is too large.");
    if (!url.pathname.startsWith("/_control/")) return provider.answer(request, url, body);
    const route = `${request.method ?? "GET"} ${url.pathname}`;
    if (route === "GET /_control/health") return { status: 200, body: { status: "ok" } };
    return provider.control(route, url, jsonOf(body)) ?? provider.refuse(404, "There is no such control.");
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${HOST}`);
    outcomeOf(request, url).then(
      (outcome) => reply(request, response, outcome, provider.headers?.()),
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const taken = await listen(server, port);
  return {
    url: `http://${HOST}:${String(taken)}`,
    port: taken,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function reply(
  request: IncomingMessage,
  response: ServerResponse,
  outcome: Outcome,
  own?: Readonly<Record<string, string>>,
): void {
  if (outcome === "reset") {
    request.socket.resetAndDestroy();
  } else if (outcome === "silence") {
    const timer = setTimeout(() => request.socket.destroy(), SILENCE_MS);
    timer.unref();
    response.once("close", () => clearTimeout(timer));
  } else {
    const { status, body, headers } = outcome === "garbage" ? { status: 200, body: undefined } : outcome;
    const text = body === undefined ? GARBAGE : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...own, ...headers }).end(text);
  }
}

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
