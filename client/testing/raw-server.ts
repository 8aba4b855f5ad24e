import { createServer, type AddressInfo, type Socket } from "node:net";

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
/** Does what it likes with the connection once a request is whole. */
export type ServerScript = (socket: Socket, request: RawRequest) => void;

export interface RawServer {
  readonly url: string;
  /** Taken one by one; then every request is answered well. */
  script: ServerScript[];
  readonly seen: RawRequest[];
  close(): Promise<void>;
}

export const PAYMENT = { accountId: "acc_1", amount: "10.00", currency: "EUR" } as const;

/** A server below HTTP: it can answer half, late, without end, or not at all. */
export async function startRawServer(): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const raw = { script: [] as ServerScript[], seen: [] as RawRequest[] };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A caller that hangs up is what most of these tests are about.
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const request = readRequest(text);
      if (!request) return;
      text = "";
      raw.seen.push(request);
      (raw.script.shift() ?? scriptedAnswer(201))(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(raw, {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  });
}

function readRequest(text: string): RawRequest | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [start = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (body.length < Number(headers["content-length"] ?? 0)) return undefined;
  const [method = "", path = ""] = start.split(" ");
  return { method, path, headers, body };
}

/** A whole answer of JSON, or of the text given. */
export function scriptedAnswer(
  status: number,
  body: unknown = { paymentId: "p1" },
  headers: Readonly<Record<string, string>> = {},
): ServerScript {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)), ...headers };
  return (socket) => void socket.write(head(status, all) + text);
}

/** A refusal as the default profile writes it. */
export function scriptedProblem(
  status: number,
  code: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): ServerScript {
  return scriptedAnswer(status, { code, detail: `It is ${code}.`, ...more }, headers);
}

/** The first lines of an answer, and nothing more. */
export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Whatever\r\n${lines.join("")}\r\n`;
}

export const cut: ServerScript = (socket) => void socket.resetAndDestroy();
export const silence: ServerScript = () => undefined;
