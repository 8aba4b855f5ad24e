import type { Queryable } from "@/db/client";

/** Shuts an operator out, ends their sessions and unties them from the OIDC issuer. @returns whether there was one who was not shut out yet. */
export async function disableOperatorRow(db: Queryable, email: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `with operator as (
             update onceboard.operators set disabled_at = clock_timestamp(), updated_at = clock_timestamp()
              where email = $1 and disabled_at is null
             returning id
           ), untied as (
             delete from onceboard.operator_accounts where provider_id = 'oidc' and user_id in (select id from operator)
           ), ended as (
             delete from onceboard.sessions where user_id in (select id from operator)
           )
           select id from operator`,
    values: [email],
  });
  return rowCount === 1;
}
