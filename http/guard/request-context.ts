import type { Context } from "hono";
import type { ApiClient } from "@/auth/api-keys/api-keys";
import { AppError } from "@/domain/errors";
import type { Actor, EngineContext } from "@/engine/context";
import { traceIdIn } from "@/engine/telemetry/telemetry";
import type { ApiEnv, HttpDeps } from "../env";

/** Shortest budget that is followed: less than this would only make outcomes unknown. */
export const MIN_REQUEST_TIMEOUT_MS = 250;
export const MAX_REQUEST_TIMEOUT_MS = 600_000;
/** Part of the budget that is kept for our own work after the provider's answer, and its bounds in ms. */
const OWN_SHARE = 0.1;
const OWN_SHARE_MAX_MS = 500;

/**
 * @param header value of `X-Request-Timeout`, milliseconds that the caller waits for this one answer
 * @throws AppError `validation.request_timeout` 400 when it is not a whole number of milliseconds
 */
export function parseRequestTimeout(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (!/^\d{1,9}$/.test(header)) {
    throw new AppError("validation.request_timeout", 400, "X-Request-Timeout is not usable", {
      detail: "Send whole milliseconds, for example 4500. Nothing was recorded.",
    });
  }
  return Math.min(Math.max(Number(header), MIN_REQUEST_TIMEOUT_MS), MAX_REQUEST_TIMEOUT_MS);
}

/** The caller's budget shortens the wait for the provider, so that the answer arrives while somebody still listens. */
function withinBudget(deps: HttpDeps, budgetMs: number | undefined): EngineContext["config"] {
  if (budgetMs === undefined) return deps.config;
  const forProvider = Math.floor(budgetMs - Math.min(budgetMs * OWN_SHARE, OWN_SHARE_MAX_MS));
  return forProvider >= deps.config.providerTimeoutMs
    ? deps.config
    : { ...deps.config, providerTimeoutMs: forProvider };
}

/** @returns the engine's context of one request. */
export function contextOf<Env extends ApiEnv>(
  c: Context<Env>,
  tenantId: string,
  actor: Actor,
  budgetMs?: number,
): EngineContext {
  const deps = c.get("deps") as HttpDeps;
  const requestId = c.get("requestId");
  const traceparent = c.get("traceparent");
  const { engine } = deps;
  const log = engine.log.child({ requestId, traceId: traceIdIn(traceparent) });
  return { ...engine, tenantId, actor, requestId, traceparent, log, config: withinBudget(deps, budgetMs) };
}

export function actorOf(client: ApiClient): Actor {
  return { kind: "client", id: client.clientId, name: client.name, scopes: client.scopes };
}
