import { v7 as uuidv7, validate as isUuid } from "uuid";
import type { Queryable } from "@/db/client";
import { hasEmail } from "@/db/payments/accounts";
import { insertNotification } from "@/db/payments/notifications";
import { insertOutboxMessage } from "@/db/outbox/insert-outbox-message";
import type { InboxMessage } from "@/engine/inbox/consumer";
import type { EngineContext } from "@/engine/context";
import { currentTraceparent } from "@/engine/telemetry/telemetry";
import { MAIL_TOPIC } from "@/engine/outbox/transports/transports";

import { derivedId } from "./derived-id";

/** Header of messages whose delivery marks a notification as sent. */
export const NOTIFICATION_HEADER = "notification";

export interface Note {
  /** Stable per side effect, e.g. `receipt_payment_<id>`. */
  readonly notificationKey: string;
  readonly kind: "receipt" | "notice";
  readonly accountId: string;
  readonly detail: Readonly<Record<string, string>>;
}

/** @returns whether it is new, kept from before, or kept for nobody because the account has no address. */
export type Kept = "new" | "kept already" | "no address";

/**
 * Keeps a message to an account's holder and, when it is new, the outbox message that carries it, in the transaction of the
 * inbox row. Neither holds the address: that is looked up when the mail leaves.
 *
 * @param cause the event that it tells of
 */
export async function notifyAccount(
  ctx: EngineContext,
  tx: Queryable,
  cause: Pick<InboxMessage, "operationId" | "messageId">,
  note: Note,
): Promise<Kept> {
  const { tenantId } = ctx;
  const { operationId } = cause;
  const id = uuidv7();
  const reachable = await hasEmail(tx, tenantId, note.accountId);
  const outboxId = reachable ? carrierId(cause, note.notificationKey) : undefined;
  const { notificationKey, kind, accountId } = note;
  const detail = { accountId, ...note.detail };
  if (!(await insertNotification(tx, { tenantId, id, notificationKey, operationId, kind, detail, outboxId }))) {
    return "kept already";
  }
  if (outboxId === undefined) return "no address";
  await insertOutboxMessage(tx, {
    tenantId,
    id: outboxId,
    operationId,
    aggregateType: "notification",
    aggregateId: id,
    topic: MAIL_TOPIC,
    type: `notification.${kind}`,
    payload: { notificationId: id },
    headers: { [NOTIFICATION_HEADER]: true, "request-id": ctx.requestId, ...traceOf(ctx) },
  });
  return "new";
}

/** @returns the id of the outbox message that carries a notification: the same for the same cause, however often it is told. */
export function carrierId(cause: Pick<InboxMessage, "operationId" | "messageId">, notificationKey: string): string {
  const event = isUuid(cause.messageId) ? cause.messageId : uuidv7();
  return derivedId(cause.operationId ?? event, `notification:${notificationKey}`);
}

/** Goes on with the trace of the event. */
export function traceOf(ctx: EngineContext): { readonly traceparent?: string } {
  const traceparent = currentTraceparent() ?? ctx.traceparent;
  return traceparent === undefined ? {} : { traceparent };
}
