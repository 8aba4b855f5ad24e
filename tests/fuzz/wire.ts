import { connect } from "node:net";

/** When the client says that nothing more comes. */
export type Half = "at once" | "when quiet" | "never";
type Text = string | Buffer;

/** A request as it goes over the wire, which a client library would not let through. */
export interface WireRequest {
  readonly method: string;
  readonly target: Text;
  readonly headers: readonly (readonly [string, Text])[];
  readonly body?: Buffer | undefined;
}

export interface WireAnswer {
  /** Of every response on the connection, in order. */
  readonly statuses: readonly number[];
  /** The first bytes of all of it. */
  readonly text: string;
  /** The server neither answered nor closed in time. */
  readonly hung: boolean;
}

const BIND = "127.0.0.1";
const ANSWER_MS = 20_000;
/** A server that waits for more is told that nothing more comes. */
const QUIET_MS = 300;
const KEPT = 64_000;
const CRLF = "\r\n";

export const bytesOf = (text: Text): Buffer => (typeof text === "string" ? Buffer.from(text, "utf8") : text);

/** Body and `content-length` go as they are; the caller says both. */
export function requestBytes({ method, target, headers, body = Buffer.alloc(0) }: WireRequest): Buffer {
  const lines = headers.flatMap(([name, value]) => [bytesOf(`${name}: `), bytesOf(value), bytesOf(CRLF)]);
  const head = [bytesOf(`${method} `), bytesOf(target), bytesOf(` HTTP/1.1${CRLF}`), ...lines, bytesOf(CRLF)];
  return Buffer.concat([...head, body]);
}

/**
 * Sends bytes on a connection of their own and reads to its end.
 *
 * @param half `at once` is somebody who broke off; with `never` the server has to end the connection
 */
export function exchange(port: number, bytes: Buffer, half: Half): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, BIND);
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (hung: boolean): void => {
      clearTimeout(late);
      clearTimeout(quiet);
      socket.destroy();
      const text = Buffer.concat(chunks).toString("latin1");
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      // An interim answer is none.
      resolve({ statuses: statuses.filter((status) => status >= 200), text, hung });
    };
    const quiet = half === "when quiet" ? setTimeout(() => socket.end(), QUIET_MS) : undefined;
    const late = setTimeout(() => done(true), ANSWER_MS);
    socket.on("data", (chunk: Buffer) => {
      quiet?.refresh();
      if (size < KEPT) chunks.push(chunk.subarray(0, KEPT - size));
      size += chunk.length;
    });
    // Whoever is cut off while it still sends has the answer behind a reset.
    socket.on("error", () => undefined);
    socket.on("close", () => done(false));
    if (half === "at once") socket.end(bytes);
    else socket.write(bytes);
  });
}
