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
  const origin = headers.get("origin");
  if (isOtherSite(headers) || (origin !== null && !isOurOrigin(origin, headers.get("host"), publicUrl))) {
    throw crossSite("Sign in from a page of this console.");
  }
}

export function crossSite(detail: string): AppError {
  return new AppError("auth.cross_site", 403, "This request came from another site", { detail });
}

/** Fetch Metadata says so; a browser without it says nothing. */
export function isOtherSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

/** Behind a proxy that ends TLS we do not know the scheme; the host decides. */
export function isOurOrigin(origin: string, host: string | null, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: originHost, protocol } = new URL(origin);
  if (origin === new URL(publicUrl).origin) return true;
  return (protocol === "http:" || protocol === "https:") && originHost === host;
}
