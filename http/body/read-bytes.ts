import { brokenOff, readAtMost } from "@/auth/sign-in/read-body";
import { beforeDeadline } from "@/db/deadline";
import { AppError } from "@/domain/errors";

/** Bytes of a request body. A command has a few hundred. */
export const MAX_BODY_BYTES = 256 * 1_024;

/**
 * Reads a body once, never more than the limit, while the time of the request lasts.
 *
 * @throws AppError `validation.too_large` 413, `transient.request_timeout` 408, `validation.request` 400
 */
export function readBytes(request: Request, limit = MAX_BODY_BYTES): Promise<Buffer> {
  return beforeDeadline(readAll(request, limit), tooSlow);
}

function readAll(request: Request, limit: number): Promise<Buffer> {
  const announced = request.headers.get("content-length");
  if (announced === null) return readChunked(request, limit);
  if (!(Number(announced) <= limit)) return Promise.reject(bodyTooLarge(limit));
  // The HTTP parser holds the sender to the announced length.
  return request.arrayBuffer().then((read) => {
    if (read.byteLength > limit) throw bodyTooLarge(limit);
    return Buffer.from(read);
  }, brokenOff);
}

async function readChunked(request: Request, limit: number): Promise<Buffer> {
  const bytes = await readAtMost(request, limit);
  if (bytes === undefined) throw bodyTooLarge(limit);
  return bytes;
}

/** Of a body that has more bytes than its limit. */
export function bodyTooLarge(limit: number): AppError {
  return new AppError("validation.too_large", 413, "The body is too large", {
    detail: `At most ${String(limit)} bytes are accepted. Nothing was recorded.`,
  });
}

function tooSlow(): AppError {
  return new AppError("transient.request_timeout", 408, "The body did not arrive in time", {
    detail: "Nothing was recorded. Retry with the same key.",
    retryable: true,
    retryAfter: 1,
  });
}
