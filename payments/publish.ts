import type { Queryable } from "@/db/client";
import { insertOutboxMessage } from "@/db/statements/insert-outbox-message";
import type { EngineContext } from "@/engine/context";
import { derivedId } from "./derived-id";

export interface DomainEvent {
  /** `payment.succeeded` … */
  readonly type: string;
  readonly operationId: string;
  readonly aggregate: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

/** Writes the event of an effect into the outbox, in the effect's transaction. Its id is stable per operation and type. */
export async function publish(ctx: EngineContext, tx: Queryable, event: DomainEvent): Promise<void> {
  const id = derivedId(event.operationId, `event:${event.type}`);
  await insertOutboxMessage(tx, {
    tenantId: ctx.tenantId,
    id,
    operationId: event.operationId,
    aggregateType: event.aggregate.type,
    aggregateId: event.aggregate.id,
    topic: event.aggregate.type === "account" ? "accounts" : "payments",
    type: event.type,
    payload: {
      id,
      type: event.type,
      occurredAt: new Date().toISOString(),
      tenant: ctx.tenantId,
      data: { operationId: event.operationId, ...event.data },
    },
    headers: { "request-id": ctx.requestId },
  });
}
