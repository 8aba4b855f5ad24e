import { AppError } from "@/domain/errors";
import { unsupported } from "../body/read-json";

const SAFE = new Set(["GET", "HEAD"]);
const OWN_SITES = new Set(["same-origin", "none"]);

/**
 * A cookie proves who somebody is, not that they meant this request: a browser attaches it to what other pages send too.
 * A changing request must say that it comes from a page of ours, and must be JSON, which a form cannot send.
 *
 * @throws AppError `auth.cross_site` 403, `validation.content_type` 415
 */
export function requireOwnSite(request: Request, publicUrl: string): void {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && !OWN_SITES.has(site)) throw crossSite("Sec-Fetch-Site names another site.");
  if (SAFE.has(request.method)) return;
  const origin = headers.get("origin");
  if (origin === null) throw crossSite("An Origin header is needed; a program uses an API key instead of a cookie.");
  if (!isOurs(origin, headers.get("host"), publicUrl)) throw crossSite("Origin names another site.");
  requireJson(request);
}

function requireJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") throw unsupported("Content-Type must be application/json.");
}

function isOurs(origin: string, host: string | null, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  // Behind a proxy that ends TLS we do not know the scheme; the host decides.
  return host !== null && (origin === `https://${host}` || origin === `http://${host}`);
}

function crossSite(detail: string): AppError {
  return new AppError("auth.cross_site", 403, "This request came from another site", {
    detail: `${detail} Nothing was changed.`,
  });
}
