import type { Context } from "hono";
import type { ApiEnv } from "../env";
import { askedOf } from "./asked";
import { baseHeaders } from "./headers";

/** @returns an answer that no key stands behind: a resource as it is now, or what was recorded. */
export function jsonAnswer<Env extends ApiEnv>(
  c: Context<Env>,
  body: unknown,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { ...options.headers, ...baseHeaders(askedOf(c)), "content-type": "application/json" },
  });
}
