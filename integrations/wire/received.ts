import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { readBytes, bodyTooLarge } from "@/http/body/read-bytes";
import { UsageError } from "../usage-error";

/** A request as any server received it. */
export interface ReceivedRequest<Native> {
  /** What the framework calls a request. */
  readonly native: Native;
  /** Path and query as they came. */
  readonly target: string;
  /** @returns null when there is no such header; lines of one name are joined with commas */
  readonly header: (name: string) => string | null;
  /** @throws AppError `validation.too_large` 413, without reading further */
  readonly bytes: (limit: number) => Promise<Buffer>;
  /** Whether somebody answered already by other means. */
  readonly sent: () => boolean;
}

/** @param request of a server that speaks Request and Response */
export function fetchRequest<Native>(
  native: Native,
  request: Request,
  bytes = (limit: number) => unreadBytes(request, limit),
): ReceivedRequest<Native> {
  const { pathname, search } = new URL(request.url);
  return {
    native,
    target: pathname + search,
    header: (name) => request.headers.get(name),
    bytes,
    sent: () => false,
  };
}

function unreadBytes(request: Request, limit: number): Promise<Buffer> {
  if (request.bodyUsed) throw bodyIsGone();
  return readBytes(request, limit);
}

export function nodeHeader({ headers }: Pick<IncomingMessage, "headers">, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? null);
}

/**
 * Reads a body of Node's server, never more than the limit. The connection stays open, so that the refusal can be read.
 * @throws AppError `validation.too_large` 413
 */
export function readStream(stream: Readable, announced: string | null, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cut = (): void => reject(new Error("the connection closed before the body was whole"));
    // It says so once, and whoever comes later hears nothing of it.
    if (stream.destroyed && !stream.readableEnded) {
      cut();
      return;
    }
    if (announced !== null && !(Number(announced) <= limit)) {
      reject(bodyTooLarge(limit));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else reject(bodyTooLarge(limit));
    });
    stream.on("end", () => resolve(Buffer.concat(chunks)));
    stream.on("error", reject);
    stream.on("close", cut);
  });
}

/** @returns the bytes of a body that a parser of the service read before us. @throws AppError 413 */
export function parsedBytes(body: unknown, limit: number): Buffer {
  if (body === undefined) throw bodyIsGone();
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

function bodyIsGone(): UsageError {
  return new UsageError("request.body", "The body was read before, and nothing of it is left: read it here alone.");
}
