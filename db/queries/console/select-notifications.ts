import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

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
