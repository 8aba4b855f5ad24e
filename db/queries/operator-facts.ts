import type { Queryable } from "@/db/client";

export interface OperatorIdentity {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
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
