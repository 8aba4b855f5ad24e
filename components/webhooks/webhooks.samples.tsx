import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { EventSourceSecretView, EventSourcesView } from "@/presentation/views/event-sources";
import type { WebhookEndpointView, WebhooksView as View } from "@/presentation/views/webhooks";
import { EventSources, WebhooksView } from "./webhooks-view";

const REFUSED = "You need the role admin.";
const EARLIER = "2026-11-22T12:00:00.000000Z";
const LONG_URL = "https://hooks.merchant-of-many-things.example/onceboard/production/eu-central-1/shop-0042/events";
const LATER = "2026-11-22T15:30:00.000000Z";

export function sampleEndpoint(changes: Partial<WebhookEndpointView> = {}): WebhookEndpointView {
  return {
    id: "e1",
    url: "https://shop.example/hooks",
    topic: "webhook:e1",
    types: [],
    description: "",
    createdAt: EARLIER,
    createdBy: "Ada",
    secrets: [{ id: "s1", createdAt: EARLIER }],
    waiting: 0,
    dead: 0,
    day: { delivered: 0, failed: 0 },
    ...changes,
  };
}

const down = { since: EARLIER, nextTryAt: LATER, testing: false, failures: 7, error: "The endpoint answered 503" };

export function sampleWebhooks(endpoints: readonly WebhookEndpointView[], changes: Partial<View> = {}): View {
  return { at: SAMPLE_NOW, endpoints, limit: 10, types: ["payment.succeeded"], overlapHours: 24, ...changes };
}

export function sampleSecret(changes: Partial<EventSourceSecretView> = {}): EventSourceSecretView {
  return { source: "bank", secretId: "k1", createdAt: EARLIER, ended: false, last: true, ...changes };
}

export function sampleSources(secrets: readonly EventSourceSecretView[], whyNot?: string): EventSourcesView {
  return { at: SAMPLE_NOW, secrets, overlapHours: 24, whyNot };
}

const webhooks = (endpoints: readonly WebhookEndpointView[], changes: Partial<View> = {}) =>
  inLive(<WebhooksView view={sampleWebhooks(endpoints, changes)} sources={sampleSources([])} />);
const sources = (secrets: readonly EventSourceSecretView[], whyNot?: string) =>
  inLive(<EventSources view={sampleSources(secrets, whyNot)} />);

export const webhookParts: readonly Part[] = [
  {
    name: "WebhooksView",
    states: [
      {
        name: "no endpoint",
        shows: webhooks([]),
        says: ["No webhook endpoint.", "No endpoint receives events.", "0 of 10"],
        lacks: ["Nothing waits."],
        has: ['a[href*="dialog=create"]'],
        hasNot: ['table[aria-label="Webhook endpoints"]'],
      },
      {
        name: "an address that is longer than its column",
        shows: webhooks([
          sampleEndpoint({
            url: LONG_URL,
            waiting: 12,
            lastError: "The endpoint answered 503",
            lastDeliveryAt: EARLIER,
            types: ["payment.succeeded", "refund.succeeded", "payment.voided"],
            day: { delivered: 1_204, failed: 31 },
          }),
        ]),
        says: ["https://hooks.merchant-of-…p-0042/events"],
        has: [`b[title="${LONG_URL}"]`],
      },
      {
        name: "one that nothing was sent to",
        shows: webhooks([sampleEndpoint()]),
        says: ["1 webhook endpoint.", "Nothing waits.", "everything", "none on record", "0 waiting"],
        lacks: ["disabled", "Disabled", "dead", "secrets are valid", "Enable"],
        has: ['a[href*="dialog=disable%3Ae1"]', 'a[href="/outbox?topic=webhook%3Ae1"]'],
      },
      {
        name: "two in trouble",
        shows: webhooks([
          sampleEndpoint({
            types: ["payment.succeeded", "payment.failed"],
            description: "the shop",
            waiting: 1,
            dead: 2,
            lastError: "500 Internal",
            lastDeliveryAt: EARLIER,
            day: { delivered: 1_200, failed: 3 },
          }),
          sampleEndpoint({
            id: "e2",
            disabled: { at: EARLIER, by: "Ada", reason: "moved" },
            secrets: [
              { id: "s2", createdAt: EARLIER },
              { id: "s1", createdAt: EARLIER, expiresAt: LATER },
            ],
          }),
          sampleEndpoint({ id: "e3", disabled: { at: EARLIER } }),
        ]),
        says: [
          "3 webhook endpoints.",
          "2 disabled.",
          "1 message waits.",
          "2 dead.",
          "payment.succeeded, payment.failed",
          "the shop",
          "by Ada: moved",
          "2 secrets are valid",
          "1,200 delivered",
          "500 Internal",
        ],
        lacks: ["Nothing waits."],
        has: ['a[href*="dialog=enable%3Ae2"]', 'a[href="/dead-letters?place=webhook%3Ae1"]'],
        hasNot: ['a[href*="dialog=disable%3Ae2"]', 'a[href*="dialog=enable%3Ae1"]'],
      },
      {
        name: "one is down, another is disabled",
        shows: webhooks([
          sampleEndpoint({ waiting: 340, down }),
          sampleEndpoint({
            id: "e2",
            down,
            disabled: { at: EARLIER, reason: "No delivery has worked for three days." },
          }),
        ]),
        says: [
          "1 down.",
          "Down since 22 Nov, 12:00: 7 deliveries in a row failed, the last: The endpoint answered 503.",
          "340 messages wait and spend no attempt.",
          "The next one is sent as a test in 1 h.",
        ],
        lacks: ["2 down."],
        has: ['a[href*="dialog=test%3Ae1"]'],
        hasNot: ['a[href*="dialog=test%3Ae2"]'],
      },
      {
        name: "as many as a tenant may have",
        shows: webhooks([sampleEndpoint({ waiting: 1_200 })], { limit: 1 }),
        says: ["A tenant has at most 1 endpoint.", "1,200 messages wait."],
        has: ['a[href*="dialog=change%3Ae1"]'],
        hasNot: ['a[href*="dialog=create"]'],
      },
      {
        name: "this person may only look",
        shows: webhooks([sampleEndpoint()], { whyNot: REFUSED, limit: 1 }),
        says: [REFUSED],
        lacks: ["A tenant has at most", "Rotate secret", "Actions"],
        hasNot: ['a[href*="dialog=create"]'],
      },
    ],
  },
  {
    name: "EventSources",
    states: [
      {
        name: "no secret of its own",
        shows: sources([]),
        says: ["No source has a secret of its own."],
        has: ['a[href*="dialog=source"]'],
        hasNot: ["table"],
      },
      {
        name: "a secret that holds, one that ends, one that ended",
        shows: sources([
          sampleSecret(),
          sampleSecret({ secretId: "k2", expiresAt: LATER }),
          sampleSecret({ secretId: "k3", expiresAt: EARLIER, ended: true }),
        ]),
        says: ["no end", "ends ", "ended "],
        has: ['a[href*="dialog=expire%3Abank%2Fk1"]', 'a[href*="dialog=expire%3Abank%2Fk2"]'],
        hasNot: ['a[href*="dialog=expire%3Abank%2Fk3"]'],
      },
      {
        name: "one secret that may not be ended",
        shows: sources([sampleSecret({ whyNotExpire: "It was made this minute." })]),
        says: ["It was made this minute."],
        off: ["End it now"],
      },
      {
        name: "this person may only look",
        shows: sources([sampleSecret()], REFUSED),
        says: [REFUSED],
        off: ["Add a secret", "End it now"],
      },
    ],
  },
];
