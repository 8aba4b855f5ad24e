import type { Queryable } from "@/db/client";
import { ACCOUNT_COLUMNS, type AccountRow } from "@/db/queries/payments/find-account";

/**
 * Naturally idempotent: the same currency again changes nothing, not even the version.
 * @param version the version the caller saw (If-Match), or undefined for "whatever it is"
 * @returns undefined when the account is absent or has another version
 */
export async function setDefaultCurrency(
  db: Queryable,
  tenantId: string,
  id: string,
  currency: string,
  version: number | undefined,
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    text: `update onceboard.accounts
           set default_currency = $3,
               version = case when default_currency = $3 then version else version + 1 end,
               updated_at = case when default_currency = $3 then updated_at else clock_timestamp() end
           where tenant_id = $1 and id = $2 and ($4::integer is null or version = $4)
           returning ${ACCOUNT_COLUMNS}`,
    values: [tenantId, id, currency, version],
  });
  return rows[0];
}
