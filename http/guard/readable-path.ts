import type { Context } from "hono";
import { isReadablePath } from "@/domain/access/path-name";
import { AppError } from "@/domain/errors";
import type { ApiEnv } from "../env";

/** Where the API is explained; every address of ours is written without the base path (base-path.ts). */
export const DOCS_PATH = "/api/v1/docs";

/** Nothing of ours has an address that cannot be read, so no route is asked. @throws AppError `route.not_found` 404 */
export function requireReadablePath(c: Context<ApiEnv>): void {
  const { url } = c.req;
  // What has no escape can be read.
  if (url.includes("%") && !isReadablePath(new URL(url).pathname)) throw nothingHere();
}

export function nothingHere(): AppError {
  return new AppError("route.not_found", 404, "There is nothing here", {
    detail: `See ${DOCS_PATH} for what there is.`,
  });
}
