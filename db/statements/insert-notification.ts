import type { Queryable } from "@/db/client";

export interface Notification {
  readonly tenantId: string;
  readonly id: string;
  /** Stable per side effect, e.g. `receipt_payment_<id>` (S4.13). */
  readonly notificationKey: string;
  readonly operationId: string;
  readonly kind: "receipt";
  /** What the message needs; never the whole event. */
  readonly detail: Readonly<Record<string, string>>;
}

/** Keeps a message that is to be sent, once per key (S4.10). @returns false when it is there already. */
export async function insertNotification(db: Queryable, notification: Notification): Promise<boolean> {
  const { tenantId, id, notificationKey, operationId, kind, detail } = notification;
  const { rowCount } = await db.query({
    name: "insert_notification",
    text: `insert into onceboard.notifications (tenant_id, id, notification_key, operation_id, kind, detail, created_at)
           values ($1, $2, $3, $4, $5, $6::jsonb, clock_timestamp())
           on conflict (tenant_id, notification_key) do nothing`,
    values: [tenantId, id, notificationKey, operationId, kind, JSON.stringify(detail)],
  });
  return rowCount === 1;
}
