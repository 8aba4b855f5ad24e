import type { Context } from "hono";
import type { ApiEnv } from "../env";
import { askedOf } from "./asked";
import { baseHeaders } from "./headers";

/**
 * An answer that no key stands behind: a resource as it is now, or what was recorded.
 * @param body is made JSON of; a Buffer is JSON already
 */
export function jsonAnswer<Env extends ApiEnv>(
  c: Context<Env>,
  body: unknown,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { ...options.headers, ...baseHeaders(askedOf(c)), "content-type": "application/json" },
  });
}
