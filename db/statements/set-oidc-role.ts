import type { Queryable } from "@/db/client";

/** Gives the operator behind an account of the OIDC issuer the role that the issuer names (C.12). */
export async function setOidcRole(db: Queryable, subject: string, role: string): Promise<void> {
  await db.query({
    text: `update onceboard.operators o set role = $2, updated_at = clock_timestamp()
             from onceboard.operator_accounts a
            where a.provider_id = 'oidc' and a.account_id = $1 and o.id = a.user_id and o.role <> $2`,
    values: [subject, role],
  });
}
