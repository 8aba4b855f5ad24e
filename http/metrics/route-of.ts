import type { Context } from "hono";
import { routePath } from "hono/route";
import type { ApiEnv } from "../env";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** @returns the pattern and not the path, once it was answered: paths have no end, and name what they are about. */
export function routeOf(c: Context<ApiEnv>): string {
  return c.res.status === 404 && c.error === undefined ? "none" : routePath(c, -1);
}

/** @returns the method when it is a known one: callers may invent others. */
export function methodOf(c: Context<ApiEnv>): string {
  return METHODS.has(c.req.method) ? c.req.method : "_OTHER";
}
