import { webhookTarget } from "@/db/webhooks/endpoint-facts";
import { Webhook } from "standardwebhooks";
import type { EngineContext } from "@/engine/context";
import { createTtlCache } from "@/engine/ttl-cache";
import { openEndpointSecret } from "./endpoint-secret";

/** How long an endpoint's address and secrets are remembered; much shorter than the overlap of a rotation. */
export const TARGET_TTL_MS = 15_000;
/** Endpoints that are remembered at once. */
const TARGETS_LIMIT = 1_000;

export interface WebhookTarget {
  readonly url: URL;
  readonly disabled: boolean;
  /** One per secret that is valid now, newest first. */
  readonly signers: readonly Webhook[];
}

export interface WebhookTargets {
  /** @returns undefined when the endpoint is not there any more. */
  of(ctx: EngineContext, endpointId: string): Promise<WebhookTarget | undefined>;
  forget(ctx: EngineContext, endpointId: string): void;
}

/** @param clock monotonic milliseconds */
export function createWebhookTargets(clock?: () => number): WebhookTargets {
  const known = createTtlCache<WebhookTarget | undefined>(TARGET_TTL_MS, TARGETS_LIMIT, clock);
  const nameOf = (ctx: EngineContext, endpointId: string): string => `${ctx.tenantId}/${endpointId}`;
  return {
    async of(ctx, endpointId) {
      const name = nameOf(ctx, endpointId);
      const kept = known.get(name);
      if (kept !== undefined) return kept.value;
      const row = await webhookTarget(ctx.db.pool, ctx.tenantId, endpointId);
      const target = row && {
        url: new URL(row.url),
        disabled: row.disabled,
        signers: row.secrets.map(({ id, sealed }) => {
          const of = { tenantId: ctx.tenantId, endpointId, secretId: id };
          return new Webhook(openEndpointSecret(ctx.keyring, of, sealed));
        }),
      };
      known.set(name, target);
      return target;
    },
    forget(ctx, endpointId) {
      known.delete(nameOf(ctx, endpointId));
    },
  };
}
