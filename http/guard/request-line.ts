import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@/domain/errors";
import { endWith, refuseOn } from "./plain-refusal";

/** What a page takes; the console changes things through the API alone. */
const PAGE_METHODS = "GET, HEAD, OPTIONS";
/** Of the server as a whole: what `OPTIONS *` asks for (RFC 9110, 9.3.7). */
const SERVER_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const READS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

/**
 * Answers what is asked of no route at all, and brings the target of a request into the one form that routes know: an address in
 * full, as a proxy gets it, becomes its path, and its authority takes the place of `Host` (RFC 9112, 3.2).
 *
 * @param isPage whether pages or the API answer a path
 * @returns whether the request was answered
 */
export function answeredByItsLine(
  request: IncomingMessage,
  response: ServerResponse,
  isPage: (url: string) => boolean,
): boolean {
  const { method = "GET", url = "/" } = request;
  if (url === "*") return (answerAsterisk(method, response), true);
  // It would send the caller's cookies and keys back to whoever reads its answer.
  if (method === "TRACE") return (refuseOn(response, methodRefused(method), { allow: SERVER_METHODS }), true);
  if (!url.startsWith("/")) {
    const target = absoluteTarget(url);
    if (target === undefined) return (refuseOn(response, targetRefused()), true);
    request.url = target.pathname + target.search;
    request.headers.host = target.host;
  }
  if (hostsOf(request) > 1 || !isAuthority(request.headers.host)) return (refuseOn(response, targetRefused()), true);
  if (READS.has(method) || !isPage(request.url ?? "/")) return false;
  if (method === "OPTIONS") response.writeHead(204, { allow: PAGE_METHODS, "cache-control": "no-store" }).end();
  else refuseOn(response, methodRefused(method), { allow: PAGE_METHODS });
  return true;
}

/** Node keeps the first; what stands before this server may have chosen by another one (RFC 9112, 3.2). */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
}

function answerAsterisk(method: string, response: ServerResponse): void {
  if (method === "OPTIONS") response.writeHead(204, { allow: SERVER_METHODS, "cache-control": "no-store" }).end();
  else if (method === "TRACE") refuseOn(response, methodRefused(method), { allow: "OPTIONS" });
  else refuseOn(response, targetRefused());
}

/** For the server's `connect`: Node ends such a connection without a word where nobody listens. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => undefined);
  const refusal = new AppError("validation.method", 405, "The method is not taken here", {
    detail: "This server is no proxy and opens no tunnel. Nothing was recorded.",
  });
  void endWith(socket, refusal, { allow: SERVER_METHODS });
}

function absoluteTarget(url: string): URL | undefined {
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return undefined;
  const target = new URL(url);
  return target.username === "" && target.password === "" ? target : undefined;
}

/** The last one that was good: nearly every request names the same. */
let lastAuthority: string | undefined;

/** Nothing but a name or an address, and a port. */
function isAuthority(host: string | undefined): boolean {
  if (host === undefined) return false;
  if (host === lastAuthority) return true;
  if (!/^[^\s/?#@\\]+$/.test(host) || !URL.canParse(`http://${host}/`)) return false;
  lastAuthority = host;
  return true;
}

function methodRefused(method: string): AppError {
  return new AppError("validation.method", 405, "The method is not taken here", {
    detail: `${/^[A-Z-]{1,20}$/.test(method) ? method : "This method"} is not taken here; Allow names those that are. Nothing was recorded.`,
  });
}

function targetRefused(): AppError {
  return new AppError("validation.request", 400, "This is not an HTTP request", {
    detail: "Its target or its Host is no address of this server. Nothing was recorded.",
  });
}
