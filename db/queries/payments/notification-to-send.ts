import type { Queryable } from "@/db/client";

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
