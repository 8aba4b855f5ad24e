import type { Context } from "hono";
import { mapDatabaseError } from "@/db/errors";
import { toAppError, type AppError } from "@/domain/errors";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { ApiEnv, Container, RequestVariables } from "../env";
import { countRefusal } from "../guard/count-refusal";
import { requestMetaOf } from "./request-meta";
import { errorProfileOf } from "./profiles";

/** Whatever was thrown, in the caller's error format. */
export function renderError<Env extends ApiEnv>(thrown: unknown, c: Context<Env>): Response {
  const error = loggedError(thrown, c);
  const client: ApiClient | undefined = c.get("client");
  const refusal: RequestVariables["refusal"] = c.get("refusal");
  return refusal?.(error) ?? errorProfileOf(client?.profile).error(error, requestMetaOf(c));
}

/** Logs what nobody expected. @returns the error without its text, as callers may see it */
function loggedError<Env extends ApiEnv>(thrown: unknown, c: Context<Env>): AppError {
  const error = toAppError(mapDatabaseError(thrown));
  countRefusal(c, error.code);
  if (error.status >= 500) {
    (c.get("deps") as Container).log.error(
      { err: error.cause ?? error, requestId: c.get("requestId"), code: error.code },
      "a request failed",
    );
  }
  return error;
}
