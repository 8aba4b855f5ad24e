import { validate as isUuid } from "uuid";
import { newId } from "@/domain/new-id";
import type { Queryable } from "@/db/client";
import { insertNotification, type Notification } from "@/db/notifications/notifications";
import type { OutboxInput } from "@/db/outbox/insert-outbox-message";
import type { EngineContext } from "../context";
import { derivedId } from "../derived-id";
import type { InboxMessage } from "../inbox/consumer";
import { originHeaders } from "./publish";
import { enqueueMessage } from "./sealed-payload";

/** Header of messages whose delivery marks a notification as sent. */
const NOTIFICATION_HEADER = "notification";

/** The event that a notification tells of. */
export type NotificationCause = Pick<InboxMessage, "operationId" | "messageId">;

/**
 * Keeps a notification and, when it is new, the outbox message that carries it: were it sent first and marked afterwards, a
 * crash between the two would send it twice or never.
 *
 * @param carrier undefined: there is nobody to send it to
 * @returns false when it was kept before
 */
export async function keepNotification(
  ctx: EngineContext,
  tx: Queryable,
  cause: NotificationCause,
  note: Pick<Notification, "id" | "notificationKey" | "kind" | "detail">,
  carrier: (Omit<OutboxInput, "tenantId" | "id" | "operationId" | "headers"> & Partial<OutboxInput>) | undefined,
): Promise<boolean> {
  const { tenantId } = ctx;
  const { operationId } = cause;
  // The same for the same cause, however often it comes.
  const event = operationId ?? (isUuid(cause.messageId) ? cause.messageId : newId());
  const carrierId = derivedId(event, `notification:${note.notificationKey}`);
  const outboxId = carrier && carrierId;
  if (!(await insertNotification(tx, { ...note, tenantId, operationId, outboxId }))) return false;
  if (carrier === undefined) return true;
  const headers = { [NOTIFICATION_HEADER]: true, ...originHeaders(ctx), ...carrier.headers };
  return enqueueMessage(ctx, tx, { ...carrier, id: carrierId, operationId, headers });
}
