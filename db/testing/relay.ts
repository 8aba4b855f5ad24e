import { connect, createServer, type AddressInfo, type Socket } from "node:net";

const BIND = "127.0.0.1";

/** A way to a server that can be cut, or can stand still. */
export interface Relay {
  readonly port: number;
  /** Nothing listens there any more, and what is open breaks. */
  cut(): Promise<void>;
  /** Takes what comes, also new connections, and hands nothing on in either direction: no answer and no reset. */
  freeze(): void;
  /** Freezes as soon as somebody sends this text, `before` it is handed on or right `after`. */
  freezeAt(text: string, when: "before" | "after"): void;
  /** Hands on all that was held, in its order, also of connections whose client has gone meanwhile. */
  thaw(): void;
}

export async function startRelay(host: string, port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let held: (() => void)[] | undefined;
  let trap: { readonly text: string; readonly when: "before" | "after" } | undefined;
  const handOn = (step: () => void): void => {
    if (held === undefined) step();
    else held.push(step);
  };
  const freeze = (): void => void (held ??= []);

  function join(from: Socket, to: Socket, watched: boolean): void {
    sockets.add(from);
    from.on("data", (chunk) => {
      const caught = watched && trap !== undefined && chunk.includes(trap.text) ? trap : undefined;
      if (caught !== undefined) trap = undefined;
      if (caught?.when === "before") freeze();
      handOn(() => void to.write(chunk));
      if (caught?.when === "after") freeze();
    });
    from.on("end", () => handOn(() => void to.end()));
    from.on("error", () => handOn(() => void to.end()));
    from.on("close", () => {
      sockets.delete(from);
      handOn(() => void to.end());
    });
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host, allowHalfOpen: true });
    join(near, far, true);
    join(far, near, false);
  });
  await new Promise<void>((resolve) => server.listen(0, BIND, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze,
    freezeAt: (text, when) => void (trap = { text, when }),
    thaw() {
      const steps = held ?? [];
      held = undefined;
      trap = undefined;
      for (const step of steps) step();
    },
    cut() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
