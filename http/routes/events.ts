import type { Hono } from "hono";
import { z } from "zod";
import { AppError } from "@/domain/errors";
import { receive } from "@/engine/inbox/receive";
import { declare } from "../declare";
import { eventReceipt } from "../docs/schemas";
import type { ApiEnv } from "../env";
import { EVENT_SOURCE } from "@/engine/inbox/event-source";
import { isCloudEvent, readCloudEvent } from "../events/cloud-event";
import { readSigned } from "../events/signed";
import { contextOf } from "../guard/request-context";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";

/** Inbound events: recorded before anything is handled, once per consumer and id. */
export function registerEvents(app: Hono<ApiEnv>, services: Services): void {
  const event = {
    id: "receiveEvent",
    summary: "Receive an event",
    access: "signature",
    otherwise: "the message id is the key, the inbox dedupes by it",
    description:
      "Signed as Standard Webhooks want it (webhook-id, webhook-timestamp, webhook-signature; five minutes either way), or a CloudEvent, structured or binary, with an API key of scope events.",
    params: { source: z.string().regex(EVENT_SOURCE) },
    query: { tenant: z.string().optional().describe("Needed when several tenants know the source") },
    headers: {
      "webhook-id": z.string().optional().describe("Id of the message, the same on every resend"),
      "webhook-timestamp": z.string().optional().describe("Seconds since 1970"),
      "webhook-signature": z.string().optional().describe("`v1,<base64>`, several separated by spaces"),
    },
    body: z.looseObject({}),
    answers: {
      202: { text: "Recorded", schema: eventReceipt },
      200: { text: "Recorded before, nothing was done again", schema: eventReceipt },
    },
    errors: ["auth.signature_invalid", "validation.event", "event_source.not_found", "inbox.payload_mismatch"],
  } as const;
  declare(app, "POST /api/v1/events/:source", event, async (c) => {
    const source = c.req.param("source") ?? "";
    if (!EVENT_SOURCE.test(source)) throw new AppError("event_source.not_found", 404, "There is no such event source");
    const incoming = isCloudEvent(c) ? await readCloudEvent(c, services, source) : await readSigned(c, source);
    const { tenantId, sender, ...message } = incoming;
    const traceparent = c.get("traceparent");
    const headers = traceparent === undefined ? message.headers : { ...message.headers, traceparent };
    services.limiters.events.take(`${tenantId}/${source}`);
    const ctx = contextOf(c, tenantId, { kind: "system", id: `source:${source}`, name: sender });
    const { outcome, inboxIds } = await receive(ctx, services.deps.consumers, { ...message, headers });
    services.metrics.received(outcome);
    switch (outcome) {
      case "recorded":
      case "duplicate": {
        const status = outcome === "recorded" ? 202 : 200;
        return jsonAnswer(c, { status: outcome, messageId: message.messageId, inboxIds }, { status });
      }
      case "mismatch":
        throw new AppError("inbox.payload_mismatch", 409, "This message id arrived with another payload before", {
          detail: "The first payload stays as it is; the difference was flagged for a person.",
          extensions: { messageId: message.messageId, inboxIds },
        });
    }
  });
}
