import type { ClientKeyView } from "./clients";

/** Endpoints of merchants, with how their deliveries go. */
export interface WebhooksView {
  readonly at: string;
  readonly endpoints: readonly WebhookEndpointView[];
  readonly limit: number;
  readonly types: readonly string[];
  /** How long two secrets are valid after a rotation. */
  readonly overlapHours: number;
  /** Whether this person may change anything; else the sentence that says why not. */
  readonly whyNot?: string | undefined;
}

export interface WebhookEndpointView {
  readonly id: string;
  readonly url: string;
  /** Of the outbox: `webhook:<id>`. */
  readonly topic: string;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly description: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly disabled?:
    { readonly at: string; readonly by?: string | undefined; readonly reason?: string | undefined } | undefined;
  /** While nothing is delivered: its messages wait, and one of them is sent as a canary each time that is due. */
  readonly down?: EndpointDown | undefined;
  /** Secrets that are valid now, the newest first; all but the first end. */
  readonly secrets: readonly Pick<ClientKeyView, "id" | "createdAt" | "expiresAt">[];
  readonly waiting: number;
  readonly dead: number;
  /** Of a message that waits. */
  readonly lastError?: string | undefined;
  /** Over the last 24 hours, from the roll-ups. */
  readonly day: { readonly delivered: number; readonly failed: number };
  /** To the minute; from the roll-ups. */
  readonly lastDeliveryAt?: string | undefined;
}

export interface EndpointDown {
  readonly since: string;
  /** Of the next canary; while one is under way, the end of its lease. */
  readonly nextTryAt: string;
  /** A canary is under way. */
  readonly testing: boolean;
  /** In a row. */
  readonly failures: number;
  readonly error?: string | undefined;
}
