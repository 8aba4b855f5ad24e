import { crossSite, isOtherSite, isOurOrigin } from "@/auth/same-origin";
import { unsupported } from "../body/read-json";

const SAFE = new Set(["GET", "HEAD"]);

/**
 * A cookie proves who somebody is, not that they meant this request: a browser attaches it to what other pages send too.
 * A changing request must say that it comes from a page of ours, and must be JSON, which a form cannot send.
 *
 * @throws AppError `auth.cross_site` 403, `validation.content_type` 415
 */
export function requireOwnSite(request: Request, publicUrl: string): void {
  const { headers } = request;
  if (isOtherSite(headers)) throw crossSite("Sec-Fetch-Site names another site. Nothing was changed.");
  if (SAFE.has(request.method)) return;
  const origin = headers.get("origin");
  if (origin === null) {
    throw crossSite("An Origin header is needed; a program uses an API key instead of a cookie. Nothing was changed.");
  }
  if (!isOurOrigin(origin, headers.get("host"), publicUrl)) {
    throw crossSite("Origin names another site. Nothing was changed.");
  }
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") throw unsupported("Content-Type must be application/json.");
}
