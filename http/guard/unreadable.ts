import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@/domain/errors";
import { endWith } from "./plain-refusal";

/**
 * Answers what Node's parser refuses before there is a request: a line or a header that is none, control bytes, too many bytes of
 * headers, or an end that does not come. For the server's `clientError`; the connection ends with it.
 */
export async function answerUnreadable(thrown: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  // An answer that is under way cannot be taken back, and nobody listens on a connection that broke.
  const answer = answerOn(socket);
  if (thrown.code === "ECONNRESET" || !socket.writable || answer?.headersSent === true)
    return void socket.destroy(thrown);
  // Its caller would take a refusal for the answer to what it sent before in full, which may have had its effect.
  if (answer?.req?.complete === true) return void (answer.shouldKeepAlive = false);
  await endWith(socket, refusalOf(thrown.code));
}

/** The answer that this connection waits for. There is no public way to ask. */
function answerOn(socket: Duplex): Partial<ServerResponse> | undefined {
  return (socket as { readonly _httpMessage?: Partial<ServerResponse> | null })._httpMessage ?? undefined;
}

function refusalOf(code: string | undefined): AppError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new AppError("validation.headers", 431, "The headers are too large", {
        detail: "All headers together have more bytes than the server reads. Nothing was recorded.",
      });
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new AppError("validation.too_large", 413, "The body is too large", {
        detail: "The extensions of its chunks have more bytes than the server reads. Nothing was recorded.",
      });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError("transient.request_timeout", 408, "The request did not arrive in time", {
        detail: "Nothing was recorded. Retry with the same key.",
        retryable: true,
        retryAfter: 1,
      });
    case undefined:
    default:
      return new AppError("validation.request", 400, "This is not an HTTP request", {
        detail: "A line, a header or a control byte in it cannot be read. Nothing was recorded.",
      });
  }
}
