import type { Queryable } from "@/db/client";

export interface RoleChange {
  readonly operatorId: string;
  readonly email: string;
  readonly was: string;
}

/** Gives the operator behind an account of the OIDC issuer the role that the issuer names; the last admin who may sign in stays one. @returns who got another role, and which they had */
export async function setOidcRole(db: Queryable, subject: string, role: string): Promise<RoleChange | undefined> {
  const { rows } = await db.query<RoleChange>({
    text: `update onceboard.operators o set role = $2, updated_at = clock_timestamp()
             from onceboard.operator_accounts a join onceboard.operators w on w.id = a.user_id
            where a.provider_id = 'oidc' and a.account_id = $1 and o.id = a.user_id and o.role <> $2
              and (o.role <> 'admin'
                   or exists (select from onceboard.operators b
                               where b.id <> o.id and b.role = 'admin' and b.disabled_at is null))
           returning o.id as "operatorId", o.email, w.role as was`,
    values: [subject, role],
  });
  return rows[0];
}
