import type { MiddlewareHandler } from "hono";
import { getPath } from "hono/utils/url";
import { pathInside } from "@/domain/access/base-path";
import type { ApiEnv } from "../env";
import { DOCS_PATH } from "./readable-path";

/** Where no route is: an address that is not below the base path. */
const OUTSIDE = "/outside";
const JSON_BODY = /[/+]json(?:;|$)/;
const [ACCEPTED, REFUSED] = [202, 400] as const;

/** Routes are written without the base path. @returns how the app takes it away from what was asked for */
export function readPathInside(basePath: string): (request: Request) => string {
  return (request) => pathInside(basePath, getPath(request)) ?? OUTSIDE;
}

const hrefOf = (address: string): string => `"href":${JSON.stringify(address)}`;

/** @returns the text with the addresses of our documentation as they are from outside */
export function docsBelow(basePath: string, text: string): string {
  return text.replaceAll(DOCS_PATH, basePath + DOCS_PATH);
}

/**
 * What was kept of an answer, and what any part of the API says of itself, names addresses without the base path: `Location`, `Link`, and
 * the addresses of our own documentation in a refusal. They get it here, where an answer leaves, so that a replay is right also in a
 * deployment that was moved since. The same answer becomes the same bytes.
 */
export function writeAddressesBelow(basePath: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    await next();
    const { headers, status } = c.res;
    const location = headers.get("location");
    if (location?.startsWith("/") === true) c.res.headers.set("location", basePath + location);
    const link = headers.get("link");
    if (link?.startsWith("</") === true) c.res.headers.set("link", `<${basePath}${link.slice(1)}`);
    const rewritten = status >= REFUSED || (status === ACCEPTED && location !== null);
    if (!rewritten || !JSON_BODY.test(headers.get("content-type") ?? "")) return;
    const text = docsBelow(basePath, await c.res.text());
    // A caller that is to come back is told where in the body too (http/profiles/renderer.ts).
    const body = status === ACCEPTED ? text.replace(hrefOf(location ?? ""), hrefOf(basePath + (location ?? ""))) : text;
    c.res = new Response(body, { status, headers: c.res.headers });
  };
}
