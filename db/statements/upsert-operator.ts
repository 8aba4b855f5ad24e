import type { Queryable } from "@/db/client";

export interface OperatorRow {
  /** Taken when the e-mail is new. */
  readonly newId: string;
  /** Lower case. */
  readonly email: string;
  readonly role: string;
  readonly name: string | undefined;
  readonly passwordHash: string;
}

/**
 * Makes an operator or gives the one with this e-mail a new role, password and, if said, name; lets them in again; and ends
 * their sessions, all in one statement. The account's id follows from the operator's, so two at once leave one account.
 */
export async function upsertOperatorRow(db: Queryable, row: OperatorRow): Promise<{ id: string; created: boolean }> {
  const { rows } = await db.query<{ id: string; created: boolean }>({
    text: `with operator as (
             insert into onceboard.operators as o (id, name, email, email_verified, role)
             values ($1, coalesce($4, split_part($2, '@', 1)), $2, true, $3)
             on conflict (email) do update set
               role = excluded.role, name = coalesce($4, o.name), disabled_at = null, updated_at = clock_timestamp()
             returning id, (xmax = 0) as created
           ), account as (
             insert into onceboard.operator_accounts (id, account_id, provider_id, user_id, password)
             select id || ':credential', id, 'credential', id, $5 from operator
             on conflict (id) do update set password = excluded.password, updated_at = clock_timestamp()
           ), ended as (
             delete from onceboard.sessions where user_id in (select id from operator)
           )
           select id, created from operator`,
    values: [row.newId, row.email, row.role, row.name ?? null, row.passwordHash],
  });
  const operator = rows[0];
  if (operator === undefined) throw new Error("an operator was not stored");
  return operator;
}
