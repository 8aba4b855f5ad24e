import { ADDRESS_HEADER, AUTH_PATH, type AuthCore } from "./library";

export interface LibraryCall {
  readonly method?: "GET" | "POST" | undefined;
  /** Below AUTH_PATH, with its query. */
  readonly path: string;
  readonly cookie?: string | null | undefined;
  readonly userAgent?: string | null | undefined;
  /** Of the caller, from the socket or a trusted proxy. */
  readonly address?: string | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

const USER_AGENT_MAX = 255;

/** Asks the login library as a browser would; nothing but what is said here reaches it. */
export function callLibrary(auth: AuthCore, call: LibraryCall): Promise<Response> {
  const headers = new Headers({ [ADDRESS_HEADER]: call.address ?? "" });
  if (call.userAgent) headers.set("user-agent", call.userAgent.slice(0, USER_AGENT_MAX));
  if (call.cookie) headers.set("cookie", call.cookie);
  const { method = "POST" } = call;
  if (method === "POST") headers.set("content-type", "application/json");
  return auth.library.handler(
    new Request(`${auth.publicUrl}${AUTH_PATH}${call.path}`, {
      method,
      headers,
      ...(method === "POST" && { body: JSON.stringify(call.body ?? {}) }),
    }),
  );
}

/** @returns headers of an answer of ours that carry the library's cookies on */
export function withCookiesOf(answer: Response): Headers {
  const headers = new Headers({ "cache-control": "no-store" });
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return headers;
}

/** @returns the library's own word for a refusal; undefined when it has none */
export async function codeOf(answer: Response): Promise<string | undefined> {
  const body = (await answer.json().catch(() => undefined)) as { readonly code?: unknown } | undefined;
  return typeof body?.code === "string" ? body.code : undefined;
}
