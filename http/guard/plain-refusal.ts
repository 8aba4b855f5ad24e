import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { newId } from "@/domain/new-id";
import type { AppError } from "@/domain/errors";
import { errorProfileOf } from "../profiles/profiles";

type Headers = Readonly<Record<string, string>>;

interface Plain {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A refusal in the default profile, for whom nobody knows yet. */
async function plain(error: AppError, more: Headers): Promise<Plain> {
  const asked = { requestId: newId(), traceId: undefined, keyEcho: undefined, minimal: false };
  const answer = errorProfileOf(undefined).error(error, asked);
  const body = Buffer.from(await answer.arrayBuffer());
  const headers = { ...Object.fromEntries(answer.headers), ...more, "content-length": String(body.length) };
  return { status: answer.status, headers, body };
}

/** Refuses a request before any route was asked. @param more headers, such as `allow` */
export function refuseOn(response: ServerResponse, error: AppError, more: Headers = {}): void {
  void plain(error, more).then(({ status, headers, body }) => {
    // What it sent stays unread, so nothing can follow on this connection.
    response.shouldKeepAlive = false;
    response.writeHead(status, headers).end(response.req.method === "HEAD" ? undefined : body);
  });
}

/** Refuses on a connection that has no request that could be answered, and ends it. @param more headers, such as `allow` */
export async function endWith(socket: Duplex, error: AppError, more: Headers = {}): Promise<void> {
  const { status, headers, body } = await plain(error, more);
  const lines = [`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ""}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push(`date: ${new Date().toUTCString()}`, "connection: close", "", "");
  socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), body]));
}
