import type { Queryable } from "@/db/client";

export interface OperatorIdentity {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** On all tenants; null: none. */
  readonly role: string | null;
  readonly disabled: boolean;
}

/** @param who an e-mail as it was typed, or an operator's id @param options.lock until the caller's transaction ends */
export async function operatorFacts(
  db: Queryable,
  who: { readonly email: string } | { readonly operatorId: string },
  options: { readonly lock?: boolean } = {},
): Promise<OperatorIdentity | undefined> {
  const [column, value] = "email" in who ? ["email", who.email.trim().toLowerCase()] : ["id", who.operatorId];
  const { rows } = await db.query<OperatorIdentity>({
    text: `select id, email, name, role, disabled_at is not null as disabled from onceboard.operators where ${column} = $1${options.lock === true ? " for update" : ""}`,
    values: [value],
  });
  return rows[0];
}

/** @returns whether this operator is somebody at the OIDC issuer already, or is shut out: nobody else is tied to them by an e-mail then. */
export async function operatorIsTied(db: Queryable, operatorId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `select 1 from onceboard.operators o
            where o.id = $1
              and (o.disabled_at is not null
                   or exists (select from onceboard.operator_accounts a where a.user_id = o.id and a.provider_id = 'oidc'))`,
    values: [operatorId],
  });
  return rowCount === 1;
}

/** @returns whether this operator exists and is not disabled. */
export async function operatorMaySignIn(db: Queryable, operatorId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: "select 1 from onceboard.operators where id = $1 and disabled_at is null",
    values: [operatorId],
  });
  return rowCount === 1;
}

/** @returns the hash of an operator's password; undefined for one who signs in elsewhere only */
export async function operatorPasswordHash(db: Queryable, operatorId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ password: string | null }>({
    text: "select password from onceboard.operator_accounts where user_id = $1 and provider_id = 'credential' limit 1",
    values: [operatorId],
  });
  return rows[0]?.password ?? undefined;
}

/** Whose sign-in waits for a code, by the login library's secret name of it. @returns the operator's id */
export async function pendingOperator(db: Queryable, identifier: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    text: `select value as id from onceboard.verifications
            where identifier = $1 and identifier like '2fa-%' and expires_at > clock_timestamp() limit 1`,
    values: [identifier],
  });
  return rows[0]?.id;
}
