import { and, asc, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, select, type RowOf } from "@/db/query";
import { notifications } from "@/db/schema";

const n = alias(notifications, "n");

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

export type NotificationDbRow = RowOf<typeof selectNotifications>;

const FIELDS = {
  ...pick(n, "id", "kind", "state", "attempts", "createdAt", "sentAt", "outboxId"),
  key: n.notificationKey,
};
const OF_OPERATION = 50;

/** What people and merchants are told about one operation. */
export async function selectNotifications(q: Queryable, tenantId: string, operationId: string) {
  const query = select(FIELDS)
    .from(n)
    .where(and(eq(n.tenantId, tenantId), eq(n.operationId, operationId)))
    .orderBy(asc(n.createdAt), asc(n.id))
    .limit(OF_OPERATION);
  return rowsOf(q, query);
}

/** The one that an outbox message carries. */
export async function selectNotificationOfMessage(q: Queryable, tenantId: string, outboxId: string) {
  const its = and(eq(n.tenantId, tenantId), eq(n.outboxId, outboxId));
  return (await rowsOf(q, select(FIELDS).from(n).where(its).limit(1))).at(0);
}

/** A message to a person or a merchant, as it is rendered and sent. */
export async function notificationToSend(db: Queryable, tenantId: string, id: string) {
  const query = select({
    notificationKey: n.notificationKey,
    kind: n.kind,
    detail: n.detail,
    state: n.state,
    createdAt: n.createdAt,
  })
    .from(n)
    .where(and(eq(n.tenantId, tenantId), eq(n.id, id)));
  return (await rowsOf(db, query, "notification_to_send")).at(0);
}
