import { NextResponse, type NextRequest } from "next/server";
import { STRICT_TRANSPORT, wantsStrictTransport } from "@/domain/access/strict-transport";

/** Any of the names the session cookie has (with a prefix, and `__Secure-` over TLS). */
const SESSION_COOKIE = /(^|[.-])session_token$/;
const OPEN_PAGES = new Set(["/sign-in", "/join"]);
const NONCE_BYTES = 16;
/** Both are read again in app/_server/console.ts. */
const PATH_HEADER = "x-onceboard-path";
const TENANT_COOKIE = "ob_tenant";
const TENANT_MAX = 100;

function contentSecurityPolicy(nonce: string): string {
  const dev = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    // The tools of the development server write style tags without a nonce.
    dev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    // Charts position things with style attributes; those cannot carry a nonce.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return btoa(String.fromCharCode(...bytes));
}

/** The way back after sign-in; only a path of this site, without the base path, which `nextUrl` keeps by itself. */
function signInUrl(request: NextRequest): URL {
  const url = request.nextUrl.clone();
  url.pathname = "/sign-in";
  url.search = "";
  const back = request.nextUrl.pathname + request.nextUrl.search;
  if (back !== "/") url.searchParams.set("next", back);
  return url;
}

/** `?tenant=` is a choice that lasts; whether there is such a tenant is decided where it is read. */
function rememberTenant(request: NextRequest, response: NextResponse): void {
  const tenant = request.nextUrl.searchParams.get("tenant");
  if (tenant === null || tenant === "" || tenant.length > TENANT_MAX) return;
  response.cookies.set(TENANT_COOKIE, tenant, {
    path: request.nextUrl.basePath || "/",
    httpOnly: true,
    sameSite: "strict",
    // What people see decides, not what a balancer says: it ends TLS.
    secure: process.env["PUBLIC_URL"]?.startsWith("https:") ?? request.nextUrl.protocol === "https:",
  });
}

/**
 * A nonce for every page, and a person without any session cookie goes to sign-in. This is a convenience, never the
 * permission check: pages and the API read and verify the session themselves.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = newNonce();
  const policy = contentSecurityPolicy(nonce);
  const signedIn = request.cookies.getAll().some(({ name }) => SESSION_COOKIE.test(name));
  if (!signedIn && !OPEN_PAGES.has(request.nextUrl.pathname)) {
    return overTls(NextResponse.redirect(signInUrl(request)));
  }
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  // Layouts are not told the address; sign-in needs it for the way back.
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  rememberTenant(request, response);
  return overTls(response);
}

function overTls(response: NextResponse): NextResponse {
  if (wantsStrictTransport(process.env["PUBLIC_URL"]))
    response.headers.set(STRICT_TRANSPORT.name, STRICT_TRANSPORT.value);
  return response;
}

export const config = {
  matcher: [
    {
      source: "/((?!api/|_next/static|_next/image|favicon.ico|icon.svg).*)",
      missing: [{ type: "header", key: "next-router-prefetch" }],
    },
  ],
};
