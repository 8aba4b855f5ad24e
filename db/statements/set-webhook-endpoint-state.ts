import type { Queryable } from "@/db/client";

/** Disables or enables an endpoint. @returns false when it is like that already, or not there */
export async function setWebhookEndpointState(
  db: Queryable,
  input: { readonly tenantId: string; readonly id: string; readonly disabled: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `update onceboard.webhook_endpoints set disabled_at = case when $3 then clock_timestamp() end
           where tenant_id = $1 and id = $2 and (disabled_at is not null) <> $3`,
    values: [input.tenantId, input.id, input.disabled],
  });
  return rowCount === 1;
}
