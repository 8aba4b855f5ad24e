import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Says which requests begin or end in a chunk that a client sent; one reader per connection. */
export type WireReader = () => { sent(chunk: Buffer): readonly string[]; answered(): void };

export interface WireTrap {
  /** @param earlier labels of this connection so far, newest last */
  matches(label: string, earlier: readonly string[]): boolean;
  /** `request`: before its bytes go on. `reply`: once the server has answered, before the client learns of it. */
  readonly at: "request" | "reply";
  caught(held: HeldWire): void;
}

/** One connection, held at the trap. */
export interface HeldWire {
  /** Lets what is held go on, however late. */
  forward(): void;
  /** Resets the client; with `deliver` what it sent still reaches the server; with `share` it gets so much of an answer. */
  cut(options?: { readonly deliver?: boolean; readonly share?: number }): void;
}

export interface TapProxy {
  readonly port: number;
  /** Arms one trap; it works once. */
  trap(trap: WireTrap | undefined): void;
  close(): Promise<void>;
}

export interface TapTarget {
  readonly host?: string;
  readonly port: number;
  readonly reader: WireReader;
  /** Own port; a free one without it. */
  readonly listen?: number;
  /** Asked for every label; `trap()` is asked first. */
  readonly trapFor?: (label: string) => WireTrap | undefined;
}

const HOST = "127.0.0.1";
const MAX_CONNECTIONS = 1_000;
/** Labels that a connection remembers. */
const REMEMBERED = 8;

/**
 * A TCP proxy that loses messages at moments that are named by what a message is, not by when it comes.
 *
 * @throws when the port is taken
 */
export async function startTapProxy(target: TapTarget): Promise<TapProxy> {
  let armed: WireTrap | undefined;
  const sockets = new Set<Socket>();
  const trapFor = (label: string, earlier: readonly string[]): WireTrap | undefined => {
    if (armed?.matches(label, earlier) !== true) return target.trapFor?.(label);
    const trap = armed;
    armed = undefined;
    return trap;
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host ?? HOST);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.once("close", () => sockets.delete(socket));
    }
    couple(client, upstream, target.reader(), trapFor);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(target.listen ?? 0, HOST, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    trap: (trap) => void (armed = trap),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function couple(
  client: Socket,
  upstream: Socket,
  reader: ReturnType<WireReader>,
  trapFor: (label: string, earlier: readonly string[]) => WireTrap | undefined,
): void {
  const earlier: string[] = [];
  let awaited: WireTrap | undefined;
  client.on("data", (chunk) => {
    let found: WireTrap | undefined;
    for (const label of reader.sent(chunk)) {
      found = trapFor(label, earlier) ?? found;
      earlier.push(label);
      if (earlier.length > REMEMBERED) earlier.shift();
    }
    if (found?.at === "request") {
      found.caught(hold(client, client, upstream, chunk));
      return;
    }
    awaited = found ?? awaited;
    upstream.write(chunk);
  });
  upstream.on("data", (chunk) => {
    reader.answered();
    const trap = awaited;
    awaited = undefined;
    if (trap === undefined) client.write(chunk);
    else trap.caught(hold(client, upstream, client, chunk));
  });
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on("end", () => other.end());
    one.on("close", () => other.destroy());
  }
}

function hold(client: Socket, from: Socket, to: Socket, chunk: Buffer): HeldWire {
  let done = false;
  from.pause();
  const once = (act: () => void): void => {
    if (done) return;
    done = true;
    act();
  };
  return {
    forward: () =>
      once(() => {
        if (!to.destroyed) to.write(chunk);
        from.resume();
      }),
    cut: (options) =>
      once(() => {
        // An orderly end lets the server read what came before it; a reset may throw it away.
        if (options?.deliver === true && to !== client) to.end(chunk);
        else if (to !== client) to.destroy();
        if (options?.share !== undefined && to === client)
          client.end(chunk.subarray(0, Math.floor(chunk.length * options.share)));
        else client.resetAndDestroy();
        if (to === client) from.destroy();
      }),
  };
}
