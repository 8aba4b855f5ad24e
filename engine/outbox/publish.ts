import type { OutboxMessage } from "@/db/operations/complete";
import type { EngineContext } from "../context";
import { derivedId } from "../derived-id";
import { currentTraceparent } from "../telemetry/telemetry";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "./envelope";

/** An event of a change that is no operation. */
export interface ChangeEvent {
  /** `payment.succeeded` … */
  readonly type: string;
  readonly topic: string;
  /** Its events keep their order. */
  readonly aggregate: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

export interface DomainEvent extends ChangeEvent {
  readonly operationId: string;
}

/** @returns the event of an effect for the outbox; the engine writes it with the answer. Its id is stable per operation and type. */
export function outboxMessage(ctx: EngineContext, event: DomainEvent): OutboxMessage {
  const id = derivedId(event.operationId, `event:${event.type}`);
  return messageOf(ctx, id, event, { operationId: event.operationId, ...event.data });
}

/**
 * @param id stable per change
 * @returns the event of a change that is no operation
 */
export function changeMessage(ctx: EngineContext, id: string, event: ChangeEvent): OutboxMessage {
  return messageOf(ctx, id, event, event.data);
}

function messageOf(
  ctx: EngineContext,
  id: string,
  event: ChangeEvent,
  data: Readonly<Record<string, unknown>>,
): OutboxMessage {
  return {
    id,
    aggregateType: event.aggregate.type,
    aggregateId: event.aggregate.id,
    topic: event.topic,
    type: event.type,
    payload: { id, type: event.type, occurredAt: new Date().toISOString(), tenant: ctx.tenantId, data },
    headers: { [ENVELOPE_HEADER]: CLOUD_EVENTS, ...originHeaders(ctx) },
  };
}

/** Headers by which a message goes on with the request and the trace that it comes from. */
export function originHeaders(ctx: EngineContext): Readonly<Record<string, string>> {
  // Also while nobody exports spans: then the caller's own trace goes on with the message.
  const traceparent = currentTraceparent() ?? ctx.traceparent;
  return { "request-id": ctx.requestId, ...(traceparent !== undefined && { traceparent }) };
}
