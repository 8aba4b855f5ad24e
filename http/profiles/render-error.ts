import type { Context } from "hono";
import { mapDatabaseError } from "@/db/errors";
import { toAppError, type AppError } from "@/domain/errors";
import { ADMIN_PREFIX } from "../declare";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import type { ApiEnv, Container, RequestVariables } from "../env";
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

/** What a caller can mend in its own code: it came to the door with a good API key and was turned away. A closed list. */
const COUNTED: ReadonlySet<string> = new Set([
  "idempotency.key_missing",
  "idempotency.key_invalid",
  "auth.forbidden",
  "rate_limit.exceeded",
]);

const COUNTED_PREFIX = "validation.";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Counts a refused request of a known client that left no operation; reads and the console's own calls are left out. */
function countRefusal<Env extends ApiEnv>(c: Context<Env>, code: string): void {
  if (!COUNTED.has(code) && !code.startsWith(COUNTED_PREFIX)) return;
  const client: ApiClient | undefined = c.get("client");
  if (client === undefined || READS.has(c.req.method) || c.req.path.startsWith(ADMIN_PREFIX)) return;
  (c.get("deps") as Container).engine.refusals.add({ tenantId: client.tenantId, client: client.name, code });
}
