/** Longest path below which a deployment may lie. */
export const BASE_PATH_MAX = 100;
/** Nothing in it means something else in a regular expression, in HTML or in a header: the console is built with it. */
const BASE_PATH = /^(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)+$/;

/** @returns whether a deployment may lie below this path, such as `/onceboard`; "" is the root of its host */
export function isBasePath(text: string): boolean {
  return text === "" || (text.length <= BASE_PATH_MAX && BASE_PATH.test(text));
}

/** @param publicUrl where people reach the first page of the console @returns its path; "" at the root of the host */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}

/**
 * Paths are written without the base path everywhere inside; it is taken away where a request comes in.
 *
 * @param path of an address, without its query
 * @returns the path inside, `/` for the base path itself; undefined when it is not below the base path
 */
export function pathInside(basePath: string, path: string): string | undefined {
  if (basePath === "") return path;
  if (path === basePath) return "/";
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}
