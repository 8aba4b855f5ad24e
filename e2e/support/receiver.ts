import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** How an endpoint behaves: it takes messages and passes them on, answers 503, takes no connection, or says nothing. */
export type Behaviour = "up" | "failing" | "refusing" | "silent";

/** An endpoint on this machine. */
export interface Receiver {
  readonly url: string;
  /** Ids of the messages that it took, one entry per delivery. */
  readonly taken: readonly string[];
  /** Deliveries that it did not take; none is counted while it refuses connections. */
  turnedAway(): number;
  become(behaviour: Behaviour): Promise<void>;
  close(): Promise<void>;
}

/** @param forwardTo where a message goes on to, with its headers, before it is taken */
export async function startReceiver(forwardTo: string): Promise<Receiver> {
  const taken: string[] = [];
  let turnedAway = 0;
  let behaviour: Behaviour = "up";
  let server: Server | undefined;
  const sockets = new Set<Socket>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    if (behaviour !== "up") {
      turnedAway += 1;
      if (behaviour === "failing") response.writeHead(503).end();
      return;
    }
    const headers = new Headers({ "content-type": request.headers["content-type"] ?? "application/json" });
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
      headers.set(name, String(request.headers[name] ?? ""));
    const { status } = await fetch(forwardTo, { method: "POST", headers, body });
    if (status < 300) taken.push(String(request.headers["webhook-id"]));
    response.writeHead(status).end();
  };
  const listen = async (port: number): Promise<number> => {
    const started = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    started.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      started.once("error", reject);
      started.listen(port, "127.0.0.1", resolve);
    });
    server = started;
    return (started.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    const ended = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (ended !== undefined) await new Promise((resolve) => ended.close(resolve));
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${String(port)}/ledger`,
    taken,
    turnedAway: () => turnedAway,
    async become(next) {
      // Connections that are open would be used again, whatever the next one meets.
      await close();
      behaviour = next;
      if (next !== "refusing") await listen(port);
    },
    close,
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
