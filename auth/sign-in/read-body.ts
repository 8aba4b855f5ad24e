import type { z } from "zod";
import { AppError } from "@/domain/errors";

/** Bytes of a request to sign in; an e-mail and a password fit many times. */
const BODY_MAX_BYTES = 4_096;

/** @returns the JSON body in its shape, or undefined for anything else, however long */
export async function readBody<Output>(request: Request, shape: z.ZodType<Output>): Promise<Output | undefined> {
  const bytes = await readAtMost(request, BODY_MAX_BYTES);
  let body: unknown;
  try {
    body = JSON.parse(bytes?.toString("utf8") ?? "");
  } catch {
    body = undefined;
  }
  const parsed = shape.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}

/** For a body that was not read to its end: only its sender's going away does that. @throws AppError `validation.request` 400 */
export function brokenOff(cause: unknown): never {
  throw new AppError("validation.request", 400, "The body broke off", {
    detail: "Its sender ended the connection before all of it was there. Nothing was recorded.",
    cause,
  });
}

/**
 * @returns the body, or undefined when it has more bytes than the limit; the rest is not read then
 * @throws AppError `validation.request` 400
 */
export function readAtMost(request: Request, limit: number): Promise<Buffer | undefined> {
  return readChunks(request, limit).catch(brokenOff);
}

/** What Node received of a request, where Node's own server did. */
interface Received {
  readonly complete: boolean;
}

const received = new WeakMap<Request, Received>();

/** Remembers what a request came from, so that its end is known. */
export function noteReceived(request: Request, from: Received | undefined): void {
  if (from !== undefined) received.set(request, from);
}

/** Its chunks' end was never seen: a server that begins to read after the sender went away sees a body that is empty. */
function requireWhole(request: Request): void {
  if (request.signal.aborted || received.get(request)?.complete === false)
    throw new Error("the sender of the body went away");
}

async function readChunks(request: Request, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) break;
    size += next.value.byteLength;
    if (size > limit) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  requireWhole(request);
  return Buffer.concat(chunks);
}
