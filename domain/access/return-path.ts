/** A longer way back is dropped; browsers and servers differ above this. */
const RETURN_PATH_MAX = 2_000;
const ANY_ORIGIN = "http://console.invalid";

function startsPlain(value: string): boolean {
  // Control characters vanish in a browser's URL parser, so "/\t/evil" would become "//evil".
  return value.startsWith("/") && !/[\u0000-\u001f\\]/.test(value);
}

/**
 * Where somebody goes after sign-in.
 *
 * @param value the `next` parameter as it came
 * @returns a path of this site with its query; `/` for everything else, for the API, and for sign-in itself
 */
export function returnPath(value: string | readonly string[] | undefined): string {
  if (typeof value !== "string" || value.length > RETURN_PATH_MAX || !startsPlain(value)) return "/";
  if (!URL.canParse(value, ANY_ORIGIN)) return "/";
  const url = new URL(value, ANY_ORIGIN);
  if (url.origin !== ANY_ORIGIN || /^\/(api|sign-in)(\/|$)/.test(url.pathname)) return "/";
  // A path that begins with two slashes would name another site when it is followed.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search + url.hash;
}

const OWN_PAGE = /^\/(operations|outbox|inbox|plans)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/proof)?\/?$/i;

const PAGES = ["operations", "outbox", "inbox", "plans"] as const;

/** @returns what a path like `/operations/{id}` or `/operations/{id}/proof` shows; undefined for every other page. */
export function ownPage(path: string): { readonly page: (typeof PAGES)[number]; readonly id: string } | undefined {
  const [, name, id] = OWN_PAGE.exec(path) ?? [];
  const page = PAGES.find((each) => each === name?.toLowerCase());
  return page === undefined || id === undefined ? undefined : { page, id: id.toLowerCase() };
}
