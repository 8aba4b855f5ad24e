import { v7 as uuidv7, validate as isUuid } from "uuid";
import type { Queryable } from "@/db/client";
import { hasEmail } from "@/db/payments/accounts";
import { insertNotification, type Notification } from "@/db/payments/notifications";
import { insertOutboxMessage, type OutboxInput } from "@/db/outbox/insert-outbox-message";
import type { InboxMessage } from "@/engine/inbox/consumer";
import type { EngineContext } from "@/engine/context";
import { MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { derivedId } from "./derived-id";
import { originHeaders } from "./publish";

/** Header of messages whose delivery marks a notification as sent. */
const NOTIFICATION_HEADER = "notification";

/** The event that a notification tells of. */
type Cause = Pick<InboxMessage, "operationId" | "messageId">;

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
 */
export async function notifyAccount(ctx: EngineContext, tx: Queryable, cause: Cause, note: Note): Promise<Kept> {
  const { notificationKey, kind, accountId } = note;
  const id = uuidv7();
  const carrier = (await hasEmail(tx, ctx.tenantId, accountId)) && {
    aggregateType: "notification",
    aggregateId: id,
    topic: MAIL_TOPIC,
    type: `notification.${kind}`,
    payload: { notificationId: id },
  };
  const kept = { id, notificationKey, kind, detail: { accountId, ...note.detail } };
  if (!(await keepNotification(ctx, tx, cause, kept, carrier || undefined))) return "kept already";
  return carrier ? "new" : "no address";
}

/**
 * Keeps a notification and, when it is new, the outbox message that carries it.
 *
 * @param carrier undefined: there is nobody to send it to
 * @returns false when it was kept before
 */
export async function keepNotification(
  ctx: EngineContext,
  tx: Queryable,
  cause: Cause,
  note: Pick<Notification, "id" | "notificationKey" | "kind" | "detail">,
  carrier: (Omit<OutboxInput, "tenantId" | "id" | "operationId" | "headers"> & Partial<OutboxInput>) | undefined,
): Promise<boolean> {
  const { tenantId } = ctx;
  const { operationId } = cause;
  // The same for the same cause, however often it comes.
  const event = operationId ?? (isUuid(cause.messageId) ? cause.messageId : uuidv7());
  const carrierId = derivedId(event, `notification:${note.notificationKey}`);
  const outboxId = carrier && carrierId;
  if (!(await insertNotification(tx, { ...note, tenantId, operationId, outboxId }))) return false;
  if (carrier === undefined) return true;
  const headers = { [NOTIFICATION_HEADER]: true, ...originHeaders(ctx), ...carrier.headers };
  return insertOutboxMessage(tx, { ...carrier, tenantId, id: carrierId, operationId, headers });
}
