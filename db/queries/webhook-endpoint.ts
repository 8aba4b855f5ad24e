import type { Queryable } from "@/db/client";

export interface WebhookEndpointRow {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string;
  readonly disabled_at: Date | null;
}

/** Locked for the rest of the transaction, so that two who change it wait for each other. */
export async function webhookEndpointForChange(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<WebhookEndpointRow | undefined> {
  const { rows } = await tx.query<WebhookEndpointRow>({
    text: `select id, url, types, description, disabled_at from onceboard.webhook_endpoints
           where tenant_id = $1 and id = $2 for update`,
    values: [tenantId, id],
  });
  return rows[0];
}
