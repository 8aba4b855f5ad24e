import type { Queryable } from "@/db/client";

export const ACCOUNT_COLUMNS = "id, operation_id, currency, default_currency, version, created_at, updated_at";

export interface AccountRow {
  readonly id: string;
  /** That opened it. */
  readonly operation_id: string;
  readonly currency: string;
  readonly default_currency: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export async function findAccount(db: Queryable, tenantId: string, id: string): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    text: `select ${ACCOUNT_COLUMNS} from onceboard.accounts where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}
