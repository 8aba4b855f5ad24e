import type { Queryable } from "@/db/client";

/** Whether an account has an address for receipts. The address itself is read only where it is sent to. */
export async function hasEmail(db: Queryable, tenantId: string, accountId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: "account_has_email",
    text: "select 1 from onceboard.accounts where tenant_id = $1 and id = $2 and email is not null",
    values: [tenantId, accountId],
  });
  return rows.length === 1;
}
