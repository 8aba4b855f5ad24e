/** Of a message of the outbox, what its delivery is made of. */
export interface EnvelopeSource {
  readonly id: string;
  readonly type: string;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly position: bigint;
}

/** Header of messages whose body is a CloudEvent; those without it travel as they were written. */
export const ENVELOPE_HEADER = "envelope";
export const CLOUD_EVENTS = "cloudevents/1.0";
export const CLOUD_EVENT_TYPE = "application/cloudevents+json";
/** Names the message that a person corrected, beside a body that has no envelope. */
export const CORRECTS_HEADER = "onceboard-corrects";
/** Digits of `sequence`, so that texts sort as numbers do. */
const SEQUENCE_DIGITS = 20;

/**
 * The body that is delivered: the same bytes for every attempt and every transport, because the other side tells a duplicate
 * from a mismatch by them. A CloudEvent 1.0 in JSON (structured mode) with the distributed tracing and sequence extensions;
 * `data` and `type` are where they always were. Everything in it comes from the stored row, nothing from the attempt.
 */
export function outboxBody(tenantId: string, message: EnvelopeSource): string {
  if (message.headers[ENVELOPE_HEADER] !== CLOUD_EVENTS) return JSON.stringify(message.payload);
  const { occurredAt, subject, data, ...own } = membersOf(message.payload);
  const { traceparent, corrects } = message.headers;
  return JSON.stringify({
    specversion: "1.0",
    ...own,
    id: message.id,
    source: `/onceboard/${tenantId}`,
    type: message.type,
    // A copy for somebody else keeps the subject of its original.
    subject: typeof subject === "string" ? subject : `${message.aggregate_type}/${message.aggregate_id}`,
    time: typeof occurredAt === "string" ? occurredAt : message.created_at.toISOString(),
    datacontenttype: "application/json",
    sequence: message.position.toString().padStart(SEQUENCE_DIGITS, "0"),
    ...(typeof traceparent === "string" && { traceparent }),
    // The message in whose place a person sent this one.
    ...(typeof corrects === "string" && { corrects }),
    data: data ?? null,
  });
}

/** @returns the content type of {@link outboxBody}. */
export function outboxContentType(headers: Readonly<Record<string, unknown>>): string {
  return headers[ENVELOPE_HEADER] === CLOUD_EVENTS ? CLOUD_EVENT_TYPE : "application/json";
}

/** Our own events are written as `{id, type, occurredAt, tenant, data}`; anything else is data as a whole. */
function membersOf(
  payload: unknown,
): { occurredAt?: unknown; subject?: unknown; data?: unknown } & Record<string, unknown> {
  const isEvent = typeof payload === "object" && payload !== null && "data" in payload && "type" in payload;
  return isEvent ? { ...payload } : { data: payload };
}
