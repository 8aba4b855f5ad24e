import { Webhook } from "standardwebhooks";
import type { EngineContext } from "@/engine/context";
import { createReadCache } from "@/engine/read-cache";
import { ensureEventSource, eventSecrets, OWN_SOURCE } from "@/engine/inbox/event-source";
import type { OutboxDelivery } from "../transport";

/** How long signing secrets are remembered, so that a batch asks once. */
export const SECRET_TTL_MS = 30_000;
/** Tenants whose secrets are remembered at once. */
const TENANTS_LIMIT = 1_000;

/** The three headers of Standard Webhooks. */
export interface SignatureHeaders {
  readonly "webhook-id": string;
  /** Seconds since 1970. */
  readonly "webhook-timestamp": string;
  /** One signature per secret that is valid now, so that a receiver may know either of two during a rotation. */
  readonly "webhook-signature": string;
}

export type Signer = ReturnType<typeof createSigner>;

export function createSigner(options: { readonly now?: () => Date } = {}) {
  const known = createReadCache<readonly Webhook[]>({ ttlMs: SECRET_TTL_MS, maxEntries: TENANTS_LIMIT });
  return {
    /** @throws AppError `dependency.unavailable` when the secrets cannot be read */
    async sign(ctx: EngineContext, { id, body }: Pick<OutboxDelivery, "id" | "body">): Promise<SignatureHeaders> {
      const signers = await known.get(ctx.tenantId, async () => {
        await ensureEventSource(ctx.db, ctx.keyring, ctx.tenantId, OWN_SOURCE);
        const secrets = await eventSecrets(ctx.db, ctx.keyring, ctx.tenantId, OWN_SOURCE);
        return secrets.map((secret) => new Webhook(secret));
      });
      const now = options.now?.() ?? new Date();
      return {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
        "webhook-signature": signers.map((signer) => signer.sign(id, now, body)).join(" "),
      };
    },
  };
}
