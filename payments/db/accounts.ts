import type { Queryable } from "@/engine/index";

/** @returns undefined when the account exists. */
export async function insertAccount(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly id: string;
    readonly operationId: string;
    readonly currency: string;
    readonly emailSealed: Buffer | undefined;
  },
): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    name: "insert_account",
    text: `insert into payments.accounts (tenant_id, id, operation_id, currency, default_currency, email_sealed)
           values ($1, $2, $3, $4, $4, $5) on conflict do nothing returning ${ACCOUNT_COLUMNS}`,
    values: [input.tenantId, input.id, input.operationId, input.currency, input.emailSealed],
  });
  return rows[0];
}

export interface ChangedAccountRow extends AccountRow {
  /** False when it was the default already. */
  readonly changed: boolean;
}

/**
 * Naturally idempotent: the same currency again changes nothing, not even the version.
 * @param version the version the caller saw (If-Match), or undefined for "whatever it is"
 * @returns undefined when the account is absent or has another version
 */
export async function updateDefaultCurrency(
  db: Queryable,
  tenantId: string,
  id: string,
  currency: string,
  version: number | undefined,
): Promise<ChangedAccountRow | undefined> {
  const { rows } = await db.query<ChangedAccountRow>({
    text: `with before as (
             select b.version as seen from payments.accounts b
             where b.tenant_id = $1 and b.id = $2 for update)
           update payments.accounts
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

export const ACCOUNT_COLUMNS = "id, operation_id, currency, default_currency, version, created_at, updated_at";

export interface AccountRow {
  readonly id: string;
  readonly operation_id: string;
  readonly currency: string;
  readonly default_currency: string;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export async function findAccount(db: Queryable, tenantId: string, id: string): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    text: `select ${ACCOUNT_COLUMNS} from payments.accounts where tenant_id = $1 and id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}

export interface KeptEmail {
  readonly sealed: Buffer | null;
  /** From before addresses were sealed. */
  readonly clear: string | null;
}

export async function keptEmail(db: Queryable, tenantId: string, accountId: string): Promise<KeptEmail | undefined> {
  const { rows } = await db.query<KeptEmail>({
    name: "account_email",
    text: "select email_sealed as sealed, email as clear from payments.accounts where tenant_id = $1 and id = $2",
    values: [tenantId, accountId],
  });
  return rows[0];
}

/** Puts the sealed address in the place of the one in clear. */
export async function sealKeptEmail(db: Queryable, tenantId: string, accountId: string, sealed: Buffer): Promise<void> {
  await db.query({
    text: "update payments.accounts set email_sealed = $3, email = null where tenant_id = $1 and id = $2 and email_sealed is null",
    values: [tenantId, accountId, sealed],
  });
}

/** Whether an account has an address for receipts. */
export async function hasEmail(db: Queryable, tenantId: string, accountId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: "account_has_email",
    text: "select 1 from payments.accounts where tenant_id = $1 and id = $2 and (email_sealed is not null or email is not null)",
    values: [tenantId, accountId],
  });
  return rows.length === 1;
}
