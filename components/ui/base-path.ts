import { pathInside } from "@/domain/access/base-path";

/** The build has it; next.config.ts takes it from BASE_PATH. */
const BASE_PATH = process.env["NEXT_PUBLIC_BASE_PATH"] ?? "";

/** Of cookies that a page writes. */
export const COOKIE_PATH = BASE_PATH === "" ? "/" : BASE_PATH;

/**
 * Addresses of ours are written without the base path of the deployment. Links and the router add it by themselves; what a browser follows
 * without them (a plain link, a form, a fetch, a new window) is given to this first.
 *
 * @param address a path of ours with its query, or a whole URL, which stays as it is
 */
export function below(address: string): string {
  if (BASE_PATH === "" || !address.startsWith("/")) return address;
  // The first page is at the base path itself.
  return BASE_PATH + (/^\/(?:[?#]|$)/.test(address) ? address.slice(1) : address);
}

/** @returns the path of the page in the browser, as links and the router take it */
export function pathHere(): string {
  return pathInside(BASE_PATH, window.location.pathname) ?? "/";
}

/** Asks our API, as `fetch` does. @param path such as `/api/v1/admin/pulse` */
export function askOwn(path: string, init?: RequestInit): Promise<Response> {
  return fetch(below(path), init);
}
