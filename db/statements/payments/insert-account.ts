import type { Queryable } from "@/db/client";
import { ACCOUNT_COLUMNS, type AccountRow } from "@/db/queries/payments/find-account";

/** @returns undefined when the account exists. */
export async function insertAccount(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly id: string;
    readonly operationId: string;
    readonly currency: string;
    readonly email: string | undefined;
  },
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    name: "insert_account",
    text: `insert into onceboard.accounts (tenant_id, id, operation_id, currency, default_currency, email)
           values ($1, $2, $3, $4, $4, $5) on conflict do nothing returning ${ACCOUNT_COLUMNS}`,
    values: [input.tenantId, input.id, input.operationId, input.currency, input.email],
  });
  return rows[0];
}
