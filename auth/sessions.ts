import { basePathOf, pathInside } from "@/domain/access/base-path";
import { AppError } from "@/domain/errors";
import { createAccessLog } from "./access-log";
import { callLibrary, withCookiesOf } from "./sign-in/call-library";
import { checkLink, join } from "./sign-in/join";
import { AUTH_PATH, createLibrary, type AuthCore, type AuthOptions } from "./sign-in/library";
import { actorOfOperator, readOperator, type Operator } from "./operator-session";
import { requireSameOrigin } from "./same-origin";
import { beginOidc, finishOidc } from "./sign-in/sign-in-oidc";
import { signIn } from "./sign-in/sign-in";
import { signInByCode } from "./sign-in/sign-in-code";

/** All that is reachable of the login; everything else below {@link AUTH_PATH} is not found. */
export const AUTH_ENDPOINTS = [
  { method: "POST", path: `${AUTH_PATH}/sign-in/email` },
  { method: "POST", path: `${AUTH_PATH}/sign-in/code` },
  { method: "POST", path: `${AUTH_PATH}/sign-in/oidc` },
  { method: "GET", path: `${AUTH_PATH}/oauth2/callback/oidc` },
  { method: "POST", path: `${AUTH_PATH}/join` },
  { method: "POST", path: `${AUTH_PATH}/join/check` },
  { method: "POST", path: `${AUTH_PATH}/sign-out` },
  { method: "GET", path: `${AUTH_PATH}/get-session` },
] as const;

export interface Auth extends AuthCore {
  /**
   * Answers the requests of {@link AUTH_ENDPOINTS}.
   * @param address of the caller, from the socket or a trusted proxy; without it all callers share one wide count
   * (sign-in-limit.ts)
   * @param requestId under which the access log names what was done
   * @throws AppError for every refusal, to be rendered like any other
   */
  handler(request: Request, address?: string, requestId?: string): Promise<Response>;
}

/** Opens the login of this process; nothing is read or sent before the first request. */
export function createAuth(options: AuthOptions): Auth {
  const core: AuthCore = {
    ...options,
    library: createLibrary(options),
    access: createAccessLog(options.db, options.log),
  };
  return { ...core, handler: (request, address, requestId) => handle({ ...core, requestId }, request, address) };
}

async function handle(core: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  const asked = pathInside(basePathOf(core.publicUrl), new URL(request.url).pathname);
  const endpoint = AUTH_ENDPOINTS.find(({ method, path }) => method === request.method && path === asked);
  if (endpoint?.method === "POST") requireSameOrigin(request, core.publicUrl);
  switch (endpoint?.path) {
    case "/api/auth/sign-in/email":
      return signIn(core, request, address);
    case "/api/auth/sign-in/code":
      return signInByCode(core, request, address);
    case "/api/auth/sign-in/oidc":
      return beginOidc(core, request, address);
    case "/api/auth/oauth2/callback/oidc":
      return finishOidc(core, request, address);
    case "/api/auth/join":
      return join(core, request, address);
    case "/api/auth/join/check":
      return checkLink(core, request, address);
    case "/api/auth/sign-out":
      return signOut(core, request);
    case "/api/auth/get-session":
      return tellSession(await readOperator(core, request.headers));
    case undefined:
      throw new AppError("auth.not_found", 404, "There is nothing here");
  }
}

/** `role` is that on all tenants, null without one; `tenants` has those of single tenants. */
function tellSession(operator: Operator | undefined): Response {
  const told = operator && { ...operator, role: operator.role ?? null };
  return Response.json({ operator: told ?? null }, { headers: { "cache-control": "no-store" } });
}

/** Deletes the session and its cookie; answers 204 without a session too. @throws AppError `dependency.unavailable` 503: it goes on */
async function signOut(core: AuthCore, request: Request): Promise<Response> {
  // The library says that all is well also when the database did not delete the session.
  const operator = await readOperator(core, request.headers);
  const answer = await callLibrary(core, { path: "/sign-out", cookie: request.headers.get("cookie") });
  if (operator !== undefined && answer.ok) {
    await core.access.record({
      actor: actorOfOperator(operator),
      action: "sessions.sign_out",
      operatorId: operator.id,
      requestId: core.requestId,
      after: { email: operator.email, session: operator.sessionId },
    });
  }
  return new Response(null, { status: 204, headers: withCookiesOf(answer) });
}
