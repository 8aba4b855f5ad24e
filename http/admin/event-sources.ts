import type { Context, Hono } from "hono";
import { AppError } from "@/domain/errors";
import { addEventSecret } from "@/engine/add-event-secret";
import type { AdminEnv } from "../env";
import { EVENT_SOURCE } from "../events/arrival";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf } from "./actions";

/** These sign with a secret that every process derives; one of a tenant's own would only be one more way in. */
const NOT_A_TENANTS = new Set(["provider", "sandbox"]);

/** Who may send signed events to `POST /events/{source}`. A secret is in the answer that made it and in no other. */
export function registerAdminEventSources(app: Hono<AdminEnv>): void {
  app.post(
    "/event-sources/:source/secrets",
    needsKey(async (c: Context<AdminEnv>) => {
      const source = c.req.param("source") ?? "";
      if (!EVENT_SOURCE.test(source) || NOT_A_TENANTS.has(source)) {
        throw new AppError("event_source.not_found", 404, "There is no such event source");
      }
      const { reason } = await bodyOf(c, "event_sources.add_secret", reasonBody);
      const request = { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason };
      const { secret, ...result } = await addEventSecret(c.get("ctx"), request, source);
      const message =
        secret === undefined
          ? "It has a new secret. It was shown once and is not shown again."
          : "It has a new secret. The ones before are valid for another day.";
      return actionAnswer(c, result, { message, ...(secret !== undefined && { secret }) });
    }),
  );
}
