import { createHmac } from "node:crypto";
import { z } from "zod";
import { spendSignInState } from "@/db/access/sessions";
import { setOidcRole, setOidcTenantRoles } from "@/db/access/operators";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { basePathOf, pathInside } from "@/domain/access/base-path";
import { returnPath } from "@/domain/access/return-path";
import type { Role } from "@/domain/idempotency/states";
import type { Actor } from "@/engine/context";
import { recordAccess } from "../access-log";
import { callLibrary, withCookiesOf } from "./call-library";
import type { AuthCore } from "./library";
import { OIDC_PROVIDER, signingIn, type OidcPerson } from "./oidc-plugin";
import { readBody } from "./read-body";
import { notNow } from "./sign-in";
import { countBegin } from "./sign-in-limit";
import { recordSignIn } from "./record-sign-in";

/** Where somebody lands whom the issuer or the deployment did not let in. */
export const OIDC_REFUSED = "/sign-in?problem=oidc";

const ISSUER: Actor = { kind: "system", id: "oidc", name: "single sign-on" };

const body = z.object({ next: z.string().max(2_000).optional() });

/**
 * Begins a sign-in at the configured OIDC issuer: authorization code with PKCE and state.
 * @returns 200 `{"url"}`, where the browser is to go
 * @throws AppError `auth.not_found` 404 without an issuer, `rate_limit.exceeded` 429, `dependency.unavailable` 503 when it does
 * not answer
 */
export async function beginOidc(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  requireOidc(auth);
  await countBegin(auth, address);
  const sent = await readBody(request, body);
  const answer = await callLibrary(auth, {
    path: "/sign-in/oauth2",
    address,
    body: {
      providerId: OIDC_PROVIDER,
      callbackURL: auth.publicUrl + returnPath(sent?.next),
      errorCallbackURL: auth.publicUrl + OIDC_REFUSED,
    },
  });
  const { url } = (await answer.json().catch(() => ({}))) as { readonly url?: unknown };
  if (!answer.ok || typeof url !== "string") throw notNow();
  const there = new URL(url);
  there.searchParams.set("nonce", nonceOf(auth, there.searchParams.get("state") ?? ""));
  return Response.json({ url: there.href }, { headers: withCookiesOf(answer) });
}

/** Follows from the state, so it is kept nowhere: a token of another sign-in names another one. */
function nonceOf({ secret }: Pick<AuthCore, "secret">, state: string): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["oidc nonce", state]))
    .digest("base64url");
}

/**
 * Ends it: the issuer sent the browser back with a code. Who is no operator gets the configured role or stays out, a disabled one
 * stays out.
 * @returns a page that goes on by itself: only from a page of ours does the browser show the strict cookie
 */
export async function finishOidc(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  requireOidc(auth);
  const state = new URL(request.url).searchParams.get("state") ?? "";
  const person: OidcPerson = { nonce: nonceOf(auth, state) };
  // Before anything is asked: of two ways back at the same time one opens a session.
  const first = await spendState(auth, request, state);
  if (!first) return onwardTo(auth, OIDC_REFUSED, new Headers());
  const answer = await signingIn.run(person, () =>
    callLibrary(auth, {
      method: "GET",
      path: `/oauth2/callback/${OIDC_PROVIDER}${new URL(request.url).search}`,
      cookie: request.headers.get("cookie"),
      userAgent: request.headers.get("user-agent"),
      address,
    }),
  );
  const target = targetOf(auth, answer);
  if (target !== OIDC_REFUSED && person.subject !== undefined && person.claimed !== undefined) {
    await setClaimedRole(auth, person.subject, person.claimed);
  }
  const headers = withCookiesOf(answer);
  if (target !== OIDC_REFUSED) {
    await recordSignIn(
      auth,
      { request, address },
      headers,
      "single sign-on",
      person.made === true ? ISSUER : undefined,
    );
  }
  return onwardTo(auth, target, headers);
}

/** Only for the browser that began it: nobody else uses up a state by knowing it. */
async function spendState(auth: AuthCore, request: Request, state: string): Promise<boolean> {
  const holds = (request.headers.get("cookie") ?? "").includes(`state=${encodeURIComponent(state)}`);
  return state !== "" && holds && (await spendSignInState(auth.db.pool, state));
}

/** The role and its entry are one: nobody's rights change without a trace. */
async function setClaimedRole(auth: AuthCore, subject: string, role: Role): Promise<void> {
  await inTransaction(auth.db, async (tx) => {
    const { tenants = [] } = auth.oidc ?? {};
    const changed =
      tenants.length === 0
        ? await setOidcRole(tx, subject, role)
        : await setOidcTenantRoles(tx, { subject, role, tenantIds: tenants });
    if (changed === undefined) return;
    const { operatorId, email, was } = changed;
    const where = tenants.length === 0 ? {} : { tenants };
    await recordAccess(tx, {
      actor: ISSUER,
      action: "operators.change_role",
      operatorId,
      requestId: auth.requestId,
      before: { email, role: was, ...where },
      after: { email, role, ...where },
      evidence: { claim: auth.oidc?.roleClaim },
    });
  });
}

/** A path inside; the library's words for what went wrong are not shown. */
function targetOf(auth: AuthCore, answer: Response): string {
  const location = answer.headers.get("location");
  if (location === null || !URL.canParse(location, auth.publicUrl)) return OIDC_REFUSED;
  const { origin, pathname, search, searchParams } = new URL(location, auth.publicUrl);
  const ours = new URL(auth.publicUrl).origin === origin ? pathInside(basePathOf(auth.publicUrl), pathname) : undefined;
  if (ours === undefined || ours.startsWith("/api/") || searchParams.has("error")) return OIDC_REFUSED;
  return returnPath(`${ours}${search}`);
}

function onwardTo(auth: AuthCore, target: string, headers: Headers): Response {
  headers.set("cache-control", "no-store");
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  headers.set("referrer-policy", "no-referrer");
  return new Response(onward(basePathOf(auth.publicUrl) + target), { status: 200, headers });
}

function onward(path: string): string {
  const safe = path.replace(/[&"<>]/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title><meta http-equiv="refresh" content="0;url=${safe}"></head><body><p><a href="${safe}">Go on</a></p></body></html>`;
}

function requireOidc(auth: AuthCore): void {
  if (auth.oidc === undefined) throw new AppError("auth.not_found", 404, "There is nothing here");
}
