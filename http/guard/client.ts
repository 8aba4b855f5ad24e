import type { Context } from "hono";
import { authenticateApiKey, type ApiClient } from "@/auth/api-keys/api-keys";
import { AppError } from "@/domain/errors";
import { wrongRegion } from "@/domain/access/wrong-region";
import { scopesAllow } from "@/domain/access/permission";
import { whenThere, type Soon } from "@/domain/soon";
import type { ApiEnv, Container } from "../env";

/**
 * Who calls, before anything else is looked at: a key that may no longer do this gets no stored answer either.
 *
 * @param scopes of which one suffices
 * @throws AppError `auth.unauthenticated` 401, `tenant.wrong_region` 421, `auth.forbidden` 403
 */
export function requireClient<Env extends ApiEnv>(c: Context<Env>, scopes: readonly string[]): Soon<ApiClient> {
  const { db, config } = c.get("deps") as Container;
  return whenThere(authenticateApiKey(db, c.req.header("authorization")), (client) => {
    if (client === undefined) throw unauthenticated();
    c.set("client", client);
    if (client.homeRegion !== config.region) throw wrongRegion(client.homeRegion);
    requireScopes(client, scopes);
    return client;
  });
}

/** @throws AppError `auth.forbidden` 403 */
export function requireScopes(client: ApiClient, scopes: readonly string[]): void {
  if (!scopesAllow(client.scopes, scopes)) throw forbidden(scopes);
}

export function unauthenticated(): AppError {
  return new AppError("auth.unauthenticated", 401, "An API key is needed", {
    detail: "Send Authorization: Bearer <api key> with a key that is not revoked. Nothing was recorded.",
  });
}

export function forbidden(scopes: readonly string[]): AppError {
  return new AppError("auth.forbidden", 403, "This API key may not do that", {
    detail: `One of these scopes is needed: ${scopes.join(", ")}. Nothing was recorded.`,
    extensions: { requiredScopes: scopes },
  });
}
