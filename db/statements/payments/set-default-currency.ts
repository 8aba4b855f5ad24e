import type { Queryable } from "@/db/client";
import { ACCOUNT_COLUMNS, type AccountRow } from "@/db/queries/payments/find-account";

export interface ChangedAccountRow extends AccountRow {
  /** False when it was the default already. */
  readonly changed: boolean;
}

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
): Promise<ChangedAccountRow | undefined> {
  const { rows } = await db.query<ChangedAccountRow>({
    text: `with before as (
             select b.version as seen from onceboard.accounts b
             where b.tenant_id = $1 and b.id = $2 for update)
           update onceboard.accounts
           set default_currency = $3,
               version = case when default_currency = $3 then version else version + 1 end,
               updated_at = case when default_currency = $3 then updated_at else clock_timestamp() end
           from before
           where tenant_id = $1 and id = $2 and ($4::integer is null or version = $4)
           returning ${ACCOUNT_COLUMNS}, version <> before.seen as changed`,
    values: [tenantId, id, currency, version],
  });
  return rows[0];
}
