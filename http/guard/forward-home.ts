import type { Context, MiddlewareHandler } from "hono";
import { authenticateApiKey } from "@/auth/api-keys/api-keys";
import { timeLeftMs } from "@/db/deadline";
import { AppError } from "@/domain/errors";
import { MIN_REQUEST_TIMEOUT_MS } from "@/domain/config";
import { readBytes } from "../body/read-bytes";
import { ADMIN_PREFIX } from "../declare";
import type { ApiEnv } from "../env";
import type { Services } from "../services";
import { clientAddress } from "./client-address";
import { parseRequestTimeout } from "./in-time";
import { givenKey } from "./require-key";

/** Says by how many regions a request came: one forwards, the next one answers or refuses. */
export const HOPS = "onceboard-hops";
const MOST_HOPS = 1;
const WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Of one connection alone (RFC 9110, 7.6.1), made anew by whoever sends, or of a browser, which has no API key. */
const NOT_FORWARDED = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "host",
  "content-length",
  "expect",
  "cookie",
];
/** Codes of a failure before anything was sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
]);

/**
 * Forwards what an API key of another region's tenant asks for to the API of its home, with the same idempotency key, and gives back
 * what that answered. Whether the key may do it is decided there. Whoever has no API key is let through.
 *
 * @throws AppError `dependency.unavailable` 503, indefinite once the request was sent; 400, 408, 413 and 429 as the routes do
 */
export function forwardHome({ deps, limiters }: Services): MiddlewareHandler<ApiEnv> {
  const { region, regionPeers } = deps.config;
  return async (c, next) => {
    const header = c.req.header("authorization");
    if (header === undefined || c.req.path.startsWith(ADMIN_PREFIX) || hopsOf(c) >= MOST_HOPS) return next();
    const client = await authenticateApiKey(deps.db, header);
    const home = client === undefined || client.homeRegion === region ? undefined : regionPeers.get(client.homeRegion);
    if (client === undefined || home === undefined) return next();
    c.set("client", client);
    limiters.calls.take(client.keyId);
    return forwarded(c, client.homeRegion, home);
  };
}

function hopsOf(c: Context<ApiEnv>): number {
  const header = c.req.header(HOPS);
  return header === undefined ? 0 : /^\d{1,3}$/.test(header) ? Number(header) : MOST_HOPS;
}

async function forwarded(c: Context<ApiEnv>, region: string, home: string): Promise<Response> {
  // Two lines of it would arrive as one.
  givenKey(c);
  parseRequestTimeout(c.req.header("x-request-timeout"));
  const { method, path, url } = c.req;
  const body = WITHOUT_BODY.has(method) ? null : new Uint8Array(await readBytes(c.req.raw));
  const left = Math.max(MIN_REQUEST_TIMEOUT_MS, Math.floor(timeLeftMs()));
  try {
    const answer = await fetch(home + path + new URL(url).search, {
      method,
      headers: headersOf(c, left),
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(left),
    });
    const headers = new Headers(answer.headers);
    for (const name of [...NOT_FORWARDED, "date"]) headers.delete(name);
    return new Response(answer.body, { status: answer.status, headers });
  } catch (error) {
    throw unreachable(region, error);
  }
}

function headersOf(c: Context<ApiEnv>, leftMs: number): Headers {
  const headers = new Headers(c.req.raw.headers);
  for (const name of NOT_FORWARDED) headers.delete(name);
  headers.set("accept-encoding", "identity");
  headers.set("x-request-timeout", String(leftMs));
  headers.set(HOPS, String(hopsOf(c) + 1));
  // What its caller wrote before counts for nothing: a home that trusts this region believes the last address.
  headers.delete("x-forwarded-for");
  const address = clientAddress(c);
  if (address !== undefined) headers.set("x-forwarded-for", address);
  return headers;
}

function unreachable(region: string, cause: unknown): AppError {
  const notSent =
    cause instanceof Error && NOT_SENT.has((cause.cause as { readonly code?: unknown } | undefined)?.code);
  return new AppError("dependency.unavailable", 503, "The tenant's home region did not answer", {
    detail: notSent
      ? "It could not be reached, so nothing was recorded or executed. Retry with the same key."
      : "It is not known whether this request had an effect. Retry with the same key.",
    extensions: { homeRegion: region },
    retryable: true,
    retryAfter: 1,
    certainty: notSent ? "definite" : "indefinite",
    cause,
  });
}
