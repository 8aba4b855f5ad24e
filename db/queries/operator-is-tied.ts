import type { Queryable } from "@/db/client";

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
