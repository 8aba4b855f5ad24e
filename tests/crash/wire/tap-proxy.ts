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

const HOST = "127.0.0.1";
/** Labels that a connection remembers. */
const REMEMBERED = 8;

/** A TCP proxy that loses one message at a moment that is named by what the message is, not by when it comes. */
export async function startTapProxy(target: { readonly port: number; readonly reader: WireReader }): Promise<TapProxy> {
  let armed: WireTrap | undefined;
  const sockets = new Set<Socket>();
  const take = (trap: WireTrap): void => {
    if (armed === trap) armed = undefined;
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, HOST);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.once("close", () => sockets.delete(socket));
    }
    couple(client, upstream, target.reader(), () => armed, take);
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
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
  armed: () => WireTrap | undefined,
  take: (trap: WireTrap) => void,
): void {
  const earlier: string[] = [];
  let awaited: WireTrap | undefined;
  client.on("data", (chunk) => {
    const found = matching(reader.sent(chunk), earlier, armed());
    if (found === undefined) {
      upstream.write(chunk);
    } else if (found.at === "reply") {
      take(found);
      awaited = found;
      upstream.write(chunk);
    } else {
      take(found);
      found.caught(hold(client, client, upstream, chunk));
    }
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

function matching(labels: readonly string[], earlier: string[], trap: WireTrap | undefined): WireTrap | undefined {
  let found: WireTrap | undefined;
  for (const label of labels) {
    if (trap?.matches(label, earlier)) found = trap;
    earlier.push(label);
    if (earlier.length > REMEMBERED) earlier.shift();
  }
  return found;
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
