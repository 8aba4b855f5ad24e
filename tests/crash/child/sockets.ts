import { Socket } from "node:net";

const open = new Set<Socket>();
// Read from the prototype, so that a call can be handed on with whatever it was called with.
const connect = Reflect.get(Socket.prototype, "connect") as (this: Socket, ...input: unknown[]) => Socket;

/** Remembers every connection that this process opens from now on. */
export function watchSockets(): void {
  const watched = function (this: Socket, ...input: unknown[]): Socket {
    open.add(this);
    this.once("close", () => open.delete(this));
    return connect.apply(this, input);
  };
  Reflect.set(Socket.prototype, "connect", watched);
}

/** Resets all connections to one port, as a cable that is pulled. */
export function cutSockets(port: number): void {
  for (const socket of open) if (socket.remotePort === port) socket.resetAndDestroy();
}
