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
  return textAnswer(
    c,
    JSON.stringify(body),
    { ...options.headers, "content-type": "application/json" },
    options.status,
  );
}

export function textAnswer<Env extends ApiEnv>(
  c: Context<Env>,
  text: string,
  headers: Readonly<Record<string, string>> & { readonly "content-type": string },
  status = 200,
): Response {
  return new Response(text, { status, headers: { ...headers, ...baseHeaders(requestMetaOf(c)) } });
}
