import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";

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

export interface NotificationDbRow {
  readonly id: string;
  readonly operation_id: string | null;
  readonly notification_key: string;
  readonly kind: string;
  readonly state: "pending" | "sent" | "skipped";
  readonly attempts: number;
  readonly created_at: string;
  readonly sent_at: string | null;
  readonly outbox_id: string | null;
}

const COLUMNS = `n.id, n.operation_id, n.notification_key, n.kind, n.state, n.attempts, ${iso("n.created_at")} as created_at,
  ${iso("n.sent_at")} as sent_at, n.outbox_id`;
const OF_OPERATION = 50;

/** What people and merchants are told about one operation. */
export async function selectNotifications(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<NotificationDbRow[]> {
  const { rows } = await q.query<NotificationDbRow>({
    text: `select ${COLUMNS} from onceboard.notifications n where n.tenant_id = $1 and n.operation_id = $2 order by n.created_at, n.id limit $3`,
    values: [tenantId, operationId, OF_OPERATION],
  });
  return rows;
}

/** The one that an outbox message carries. */
export async function selectNotificationOfMessage(
  q: Queryable,
  tenantId: string,
  outboxId: string,
): Promise<NotificationDbRow | undefined> {
  const { rows } = await q.query<NotificationDbRow>({
    text: `select ${COLUMNS} from onceboard.notifications n where n.tenant_id = $1 and n.outbox_id = $2 limit 1`,
    values: [tenantId, outboxId],
  });
  return rows[0];
}

export interface NotificationToSendRow {
  readonly notification_key: string;
  readonly kind: string;
  readonly detail: Readonly<Record<string, string>>;
  readonly state: "pending" | "sent" | "skipped";
  readonly created_at: Date;
  /** Of the account that its detail names; null when there is none. */
  readonly email: string | null;
}

/** A message to a person with the address it goes to now: the address is stored with the account and nowhere else. */
export async function notificationToSend(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<NotificationToSendRow | undefined> {
  const { rows } = await db.query<NotificationToSendRow>({
    name: "notification_to_send",
    text: `select n.notification_key, n.kind, n.detail, n.state, n.created_at, a.email
           from onceboard.notifications n
           left join onceboard.accounts a on a.tenant_id = n.tenant_id and a.id = n.detail ->> 'accountId'
           where n.tenant_id = $1 and n.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}
