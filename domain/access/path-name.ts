/** Longer than any name that is kept; what is longer names nothing. */
export const PATH_NAME_MAX = 300;
/** No name holds one, and PostgreSQL keeps no text with a NUL. */
const CONTROL = /\p{Cc}/u;

/** @returns whether something can be called that: what cannot is not looked for, it is not found */
export function isPathName(name: string): boolean {
  return name.length <= PATH_NAME_MAX && !CONTROL.test(name);
}

/** @returns whether a path as it was sent is UTF-8 without control characters, so that each part of it may be a name */
export function isReadablePath(path: string): boolean {
  if (!path.includes("%")) return true;
  const text = decoded(path);
  return text !== undefined && !CONTROL.test(text);
}

/**
 * A name in a path comes as it was written there.
 *
 * @returns undefined for one that cannot be read, or that nothing is called: the page is then not found
 */
export function nameIn(segment: string): string | undefined {
  const name = decoded(segment);
  return name !== undefined && isPathName(name) ? name : undefined;
}

/** Where an address leads that is not written in UTF-8. */
const NOWHERE = "/not-an-address";

/**
 * The server of the pages answers an escape that is no UTF-8 with a page of its own; to us such an address is one of nothing.
 *
 * @param url path and query as they were sent
 * @param basePath below which the pages lie
 */
export function readableUrl(url: string, basePath = ""): string {
  const [path = ""] = url.split("?", 1);
  return decoded(path) === undefined ? basePath + NOWHERE : url;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
