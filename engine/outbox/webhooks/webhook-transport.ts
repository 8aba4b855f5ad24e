import type { LookupFunction } from "node:net";
import { ENDPOINT_REMEMBERED_MS } from "@/domain/messages/delivery";
import type { EngineContext } from "@/engine/context";
import { CORRECTS_HEADER, outboxContentType } from "@/engine/outbox/envelope";
import type { DeliveryResult, OutboxDelivery, Transport } from "@/engine/outbox/transport";
import { createPoster, type Poster } from "@/engine/outbox/transports/post";
import { destinationProblem } from "@/engine/outbox/transports/safe-destination";
import { endpointOfTopic } from "./topic";
import { webhookTarget } from "@/db/webhooks/endpoint-facts";
import { Webhook } from "standardwebhooks";
import { createReadCache } from "@/engine/read-cache";
import { openEndpointSecret } from "./endpoint-secret";
import { disableEndpoint } from "./disable-endpoint";

/** Requests to one endpoint under way at once. */
const CONCURRENCY = 4;
const USER_AGENT = "Onceboard-Webhooks/1";
const GONE = 410;
const TARGETS_LIMIT = 1_000;

interface WebhookTarget {
  readonly url: URL;
  readonly disabled: boolean;
  /** One per secret that is valid now, newest first. */
  readonly signers: readonly Webhook[];
}

export interface WebhookTransportOptions {
  /** WEBHOOK_ALLOW_PRIVATE: plain http and addresses inside are let through. */
  readonly allowPrivate: boolean;
  readonly now?: (() => Date) | undefined;
  /** Monotonic milliseconds, for how long an endpoint is remembered. */
  readonly clock?: (() => number) | undefined;
  /** Instead of the guarded one, for tests. */
  readonly lookup?: LookupFunction | undefined;
}

/**
 * Delivers to merchants' endpoints, for topics `webhook:<endpoint id>`: signed as Standard Webhooks want it with every secret
 * that is valid now, `webhook-id` the same on every resend. 2xx acknowledges; 410 disables the endpoint; a disabled one rests;
 * everything else comes again, over three days.
 */
export function createWebhookTransport(options: WebhookTransportOptions): Transport {
  const targets = createReadCache<WebhookTarget | undefined>({
    ttlMs: ENDPOINT_REMEMBERED_MS,
    maxEntries: TARGETS_LIMIT,
    now: options.clock,
  });
  const poster = createPoster({
    allowPrivate: options.allowPrivate,
    ...(options.lookup && { lookup: options.lookup }),
  });
  return {
    name: "http",
    concurrency: CONCURRENCY,
    async deliver(ctx, delivery, { timeoutMs }) {
      const endpointId = endpointOfTopic(delivery.topic) ?? "";
      const name = `${ctx.tenantId}/${endpointId}`;
      const target = await targets.get(name, () => readTarget(ctx, endpointId));
      const refused = target === undefined ? DELETED : refusal(target, options.allowPrivate);
      if (target === undefined || refused !== undefined) return refused ?? DELETED;
      const result = await send(poster, target, delivery, options.now?.() ?? new Date(), timeoutMs);
      if (result.kind === "rejected") {
        targets.forget(name);
        await disableEndpoint(ctx, endpointId, GONE_REASON);
      }
      return result;
    },
    close() {
      poster.close();
      return Promise.resolve();
    },
  };
}

async function readTarget(ctx: EngineContext, endpointId: string): Promise<WebhookTarget | undefined> {
  const { tenantId, keyring } = ctx;
  const row = await webhookTarget(ctx.db.pool, tenantId, endpointId);
  if (row === undefined) return undefined;
  const signers = row.secrets.map(
    ({ id: secretId, sealed }) => new Webhook(openEndpointSecret(keyring, { tenantId, endpointId, secretId }, sealed)),
  );
  return { url: new URL(row.url), disabled: row.disabled, signers };
}

const DELETED: DeliveryResult = {
  kind: "rejected",
  code: "webhook.endpoint_deleted",
  reason: "The endpoint was deleted",
};

function refusal(target: WebhookTarget, allowPrivate: boolean): DeliveryResult | undefined {
  if (target.disabled)
    return { kind: "unavailable", code: "webhook.endpoint_disabled", reason: "The endpoint is disabled" };
  const problem = destinationProblem(target.url, { allowPrivate });
  return problem === undefined ? undefined : unsafe(problem);
}

function unsafe(reason: string): DeliveryResult {
  return { kind: "failed", code: "webhook.unsafe_destination", reason };
}

async function send(
  poster: Poster,
  target: WebhookTarget,
  delivery: OutboxDelivery,
  now: Date,
  timeoutMs: number,
): Promise<DeliveryResult> {
  const headers = {
    "content-type": outboxContentType(delivery.headers),
    "user-agent": USER_AGENT,
    "webhook-id": delivery.id,
    ...(typeof delivery.headers["corrects"] === "string" && { [CORRECTS_HEADER]: delivery.headers["corrects"] }),
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": target.signers.map((signer) => signer.sign(delivery.id, now, delivery.body)).join(" "),
  };
  try {
    const { status } = await poster.post(target.url, { body: delivery.body, headers, timeoutMs });
    if (status >= 200 && status < 300) return { kind: "acknowledged" };
    const code = `webhook.http_${String(status)}`;
    if (status === GONE)
      return { kind: "rejected", code, reason: "The endpoint answered 410: it wants nothing any more" };
    return { kind: "failed", code, reason: `The endpoint answered ${String(status)}` };
  } catch (error) {
    return unreachable(error);
  }
}

/** @returns without the address: it may be looked at by people who may not see where it leads. */
function unreachable(error: unknown): DeliveryResult {
  const code = error instanceof Error && "code" in error ? String(error.code) : "connection lost";
  switch (code) {
    case "EUNSAFE":
      return unsafe(error instanceof Error ? error.message : code);
    case "ETIMEDOUT":
      return { kind: "failed", code: "webhook.timeout", reason: "The endpoint did not answer in time" };
    default:
      return { kind: "failed", code: "webhook.unreachable", reason: `The endpoint could not be reached: ${code}` };
  }
}

/** Kept in the audit, where a person finds why the endpoint rests. */
const GONE_REASON = "The endpoint answered 410 Gone.";
