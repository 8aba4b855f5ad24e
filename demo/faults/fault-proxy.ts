import { connect, createServer, type Server, type Socket } from "node:net";

/** Chance per exchange, 0 to 1. */
export interface ProxyRates {
  /** The request never reaches the server; the caller sees a reset. */
  readonly cutBefore: number;
  /** The server answers, the caller sees a reset instead. */
  readonly cutAfter: number;
  /** The request arrives late. */
  readonly delay: number;
}

export interface FaultProxyOptions {
  /** Address of the server, `http:` only: the proxy must see where a request begins. */
  readonly target: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly rates: Partial<ProxyRates>;
  readonly delayMs?: number;
  /** Number in [0, 1). */
  readonly random?: () => number;
}

export interface ProxyCounts {
  readonly passed: number;
  readonly cutBefore: number;
  readonly cutAfter: number;
  readonly delayed: number;
}

export interface FaultProxy {
  readonly url: string;
  counts(): ProxyCounts;
  close(): Promise<void>;
}

type Fate = "pass" | "cutBefore" | "cutAfter" | "delay";
interface Context {
  readonly host: string;
  readonly port: number;
  readonly rates: ProxyRates;
  readonly delayMs: number;
  readonly random: () => number;
  readonly counts: { passed: number; cutBefore: number; cutAfter: number; delayed: number };
}

const HOST = "127.0.0.1";
const MAX_CONNECTIONS = 1_000;
const DEFAULT_DELAY_MS = 800;
const NO_RATES: ProxyRates = { cutBefore: 0, cutAfter: 0, delay: 0 };

/**
 * A TCP proxy that loses requests and answers for real, so that callers and server meet true resets.
 * @throws when the port is taken or the target is not `http:`.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const target = new URL(options.target);
  if (target.protocol !== "http:") throw new Error("The fault proxy speaks plain http only.");
  const context: Context = {
    host: target.hostname.replace(/^\[|\]$/g, ""),
    port: Number(target.port || "80"),
    rates: { ...NO_RATES, ...options.rates },
    delayMs: options.delayMs ?? DEFAULT_DELAY_MS,
    random: options.random ?? Math.random,
    counts: { passed: 0, cutBefore: 0, cutAfter: 0, delayed: 0 },
  };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(context.port, context.host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => sockets.delete(socket));
    }
    couple(context, client, upstream);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  return {
    url: `http://${HOST}:${String(port)}`,
    counts: () => ({ ...context.counts }),
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

/** HTTP/1.1 without pipelining: the first bytes after an answer (or at the start) begin a new exchange. */
function couple(context: Context, client: Socket, upstream: Socket): void {
  let fate: Fate = "pass";
  let requesting = false;
  client.on("data", (chunk) => {
    if (!requesting) {
      requesting = true;
      fate = draw(context);
      if (fate === "cutBefore") {
        cut(client, upstream);
        return;
      }
      if (fate === "delay") {
        holdBack(context, client, upstream, chunk);
        return;
      }
    }
    forward(client, upstream, chunk);
  });
  upstream.on("data", (chunk) => {
    requesting = false;
    // The first byte of the answer proves that the server is done with the work; the caller never sees it.
    if (fate === "cutAfter") cut(client, upstream);
    else forward(upstream, client, chunk);
  });
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on("end", () => other.end());
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}

function draw(context: Context): Fate {
  const { rates, counts } = context;
  const dice = context.random();
  if (dice < rates.cutBefore) {
    counts.cutBefore += 1;
    return "cutBefore";
  }
  if (dice < rates.cutBefore + rates.cutAfter) {
    counts.cutAfter += 1;
    return "cutAfter";
  }
  if (dice < rates.cutBefore + rates.cutAfter + rates.delay) {
    counts.delayed += 1;
    return "delay";
  }
  counts.passed += 1;
  return "pass";
}

/** Reads nothing more until the delay is over, so that the rest of the request stays in order. */
function holdBack(context: Context, client: Socket, upstream: Socket, chunk: Buffer): void {
  client.pause();
  const timer = setTimeout(() => {
    forward(client, upstream, chunk);
    client.resume();
  }, context.delayMs);
  client.once("close", () => {
    clearTimeout(timer);
  });
}

function forward(from: Socket, to: Socket, chunk: Buffer): void {
  if (to.destroyed || to.write(chunk)) return;
  from.pause();
  to.once("drain", () => from.resume());
}

function cut(client: Socket, upstream: Socket): void {
  client.resetAndDestroy();
  upstream.destroy();
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
