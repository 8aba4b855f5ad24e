import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";

/** Stands before a broker. */
export interface CuttingProxy {
  readonly port: number;
  /** Connections that it has reset. */
  cuts(): number;
  stop(): Promise<void>;
}

/**
 * Resets the first connections, each after it has carried so many bytes of the broker, and leaves the later ones alone.
 *
 * @param to port of the broker on this machine @param afterBytes 0: as soon as the client says something
 */
export async function startCuttingProxy(to: number, afterBytes: number, connections: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let left = connections;
  const server = createServer((client) => {
    const broker = connect(to, "127.0.0.1");
    const cuts = left > 0;
    if (cuts) left -= 1;
    for (const socket of [client, broker]) {
      open.add(socket.on("close", () => open.delete(socket)));
      socket.on("error", () => undefined);
    }
    const cut = (): void => {
      client.resetAndDestroy();
      broker.destroy();
    };
    client.on("close", () => broker.destroy());
    broker.on("close", () => client.destroy());
    if (cuts && afterBytes === 0) {
      client.once("data", cut);
      return;
    }
    client.pipe(broker);
    let carried = 0;
    broker.on("data", (chunk) => {
      const room = cuts ? afterBytes - carried : chunk.length;
      carried += chunk.length;
      client.write(chunk.subarray(0, room));
      if (chunk.length >= room && cuts) cut();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => connections - left,
    async stop() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
