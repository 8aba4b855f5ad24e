import { connect, createServer, type AddressInfo, type Socket } from "node:net";

const BIND = "127.0.0.1";

/** A way to a server that can be cut: then nothing listens there any more, and what is open breaks. */
export interface Relay {
  readonly port: number;
  cut(): Promise<void>;
}

export async function startRelay(host: string, port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, BIND, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
