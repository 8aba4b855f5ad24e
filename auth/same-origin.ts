import { AppError } from "@/domain/errors";

/**
 * Refuses a changing request that another site made a browser send: an Origin that is neither ours nor the host the request came
 * to, a Fetch Metadata header that says so, or a body that is not JSON (which a form cannot send).
 * @throws AppError `auth.cross_site` (403) or `validation.content_type` (415)
 */
export function requireSameOrigin(request: Request, publicUrl: string): void {
  const { headers } = request;
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new AppError("validation.content_type", 415, "Send JSON", {
      detail: "Content-Type must be application/json.",
    });
  }
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") throw crossSite();
  const origin = headers.get("origin");
  if (origin !== null && !isOurs(origin, headers.get("host"), publicUrl)) throw crossSite();
}

function crossSite(): AppError {
  return new AppError("auth.cross_site", 403, "This request came from another site", {
    detail: "Sign in from a page of this console.",
  });
}

function isOurs(origin: string, host: string | null, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: originHost, protocol } = new URL(origin);
  if (origin === new URL(publicUrl).origin) return true;
  return (protocol === "http:" || protocol === "https:") && originHost === host;
}
