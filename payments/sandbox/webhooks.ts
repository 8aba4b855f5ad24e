import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { ProviderObject } from "./ledger";

export interface SandboxWebhookTarget {
  readonly url: string;
  /** Standard Webhooks secret, base64, with or without `whsec_`. */
  readonly secret: string;
}

export interface WebhookSender {
  /**
   * Sends in the background, `times` times with one id; gives up silently after a few tries, as providers do. `garbage`
   * is signed, but says nothing that a handler can use.
   */
  send(object: ProviderObject, how: { readonly times: number; readonly garbage: boolean }): void;
  close(): void;
}

const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 250;
const ATTEMPT_TIMEOUT_MS = 5_000;
/** Above this many deliveries under way new ones are lost: a lost webhook is a fault callers must live with. */
const MAX_UNDER_WAY = 500;

export function createWebhookSender(target: SandboxWebhookTarget | undefined): WebhookSender {
  if (!target) return { send: () => undefined, close: () => undefined };
  const stop = new AbortController();
  setMaxListeners(MAX_UNDER_WAY, stop.signal);
  const signer = new Webhook(target.secret);
  let underWay = 0;
  const deliver = async (object: ProviderObject, garbage: boolean): Promise<void> => {
    if (underWay >= MAX_UNDER_WAY) return;
    underWay += 1;
    try {
      await deliverWithRetries(target.url, signer, object, garbage, stop.signal);
    } finally {
      underWay -= 1;
    }
  };
  return {
    send: (object, { times, garbage }) => {
      for (let copy = 0; copy < times; copy += 1) void deliver(object, garbage);
    },
    close: () => stop.abort(),
  };
}

async function deliverWithRetries(
  url: string,
  signer: Webhook,
  object: ProviderObject,
  garbage: boolean,
  signal: AbortSignal,
): Promise<void> {
  const id = `evt_${object.id}_${object.status}`;
  const target = new URL(url);
  const tenant = object.metadata["tenant"];
  if (tenant !== undefined) target.searchParams.set("tenant", tenant);
  const body = JSON.stringify(eventOf(object, garbage));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      if (attempt > 0) await wait(FIRST_DELAY_MS * 2 ** (attempt - 1), undefined, { signal });
      // Signed per attempt: receivers refuse an old timestamp.
      const now = new Date();
      const response = await fetch(target, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
          "webhook-signature": signer.sign(id, now, body),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {
      if (signal.aborted) return;
    }
  }
}

/** The same bytes for every copy: receivers compare the payload of duplicates. */
function eventOf(object: ProviderObject, garbage: boolean): Record<string, unknown> {
  const { id, providerKey, status, amount, currency, metadata, createdAt } = object;
  return {
    type: `${object.kind}.${status}`,
    timestamp: createdAt,
    data: garbage ? { object: id, metadata } : { id, providerKey, status, amount, currency, metadata },
  };
}
