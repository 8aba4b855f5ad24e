import type { Context } from "hono";
import type { ApiEnv } from "../env";
import { requestMetaOf } from "./request-meta";
import { baseHeaders } from "./headers";

/** A response that remembers the type of its body, for the OpenAPI document. */
export type JsonResponse<Body> = Response & { readonly jsonBody?: Body };

/** @returns an answer that no key stands behind: a resource as it is now, or what was recorded. */
export function jsonAnswer<Env extends ApiEnv, Body>(
  c: Context<Env>,
  body: Body,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): JsonResponse<Body> {
  return new Response(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { ...options.headers, ...baseHeaders(requestMetaOf(c)), "content-type": "application/json" },
  });
}
