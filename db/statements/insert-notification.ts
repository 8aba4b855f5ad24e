import type { Queryable } from "@/db/client";

export interface Notification {
  readonly tenantId: string;
  readonly id: string;
  /** Stable per side effect, e.g. `receipt_payment_<id>`. */
  readonly notificationKey: string;
  /** None: it tells of a change that is no operation. */
  readonly operationId: string | undefined;
  readonly kind: "receipt" | "notice" | "webhook";
  /** What the message needs; never the whole event and never an address. */
  readonly detail: Readonly<Record<string, string>>;
  /** The outbox message that carries it; none: there is nobody to send it to, and it is `skipped`. */
  readonly outboxId: string | undefined;
}

/** Keeps a message that is to be sent, once per key. @returns false when it is there already. */
export async function insertNotification(db: Queryable, notification: Notification): Promise<boolean> {
  const { tenantId, id, notificationKey, operationId, kind, detail, outboxId } = notification;
  const { rowCount } = await db.query({
    name: "insert_notification",
    text: `insert into onceboard.notifications
             (tenant_id, id, notification_key, operation_id, kind, detail, outbox_id, state, created_at)
           values ($1, $2, $3, $4, $5, $6::jsonb, $7::uuid, case when $7::uuid is null then 'skipped' else 'pending' end, clock_timestamp())
           on conflict (tenant_id, notification_key) do nothing`,
    values: [tenantId, id, notificationKey, operationId, kind, JSON.stringify(detail), outboxId],
  });
  return rowCount === 1;
}
