import type { Queryable } from "@/db/client";

/** Names of `operator:<id>` and `client:<id>`; whoever is gone has none. */
export async function actorNames(
  q: Queryable,
  tenantId: string,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (actors.length === 0) return new Map();
  const { rows } = await q.query<{ actor: string; name: string }>({
    text: `select 'operator:' || o.id as actor, o.name from onceboard.operators o
           where o.id = any (select substr(a, 10) from unnest($2::text[]) a where a like 'operator:%')
           union all
           select 'client:' || c.id, c.name from onceboard.api_clients c
           where c.tenant_id = $1 and c.id = any (select substr(a, 8) from unnest($2::text[]) a where a like 'client:%')`,
    values: [tenantId, actors],
  });
  return new Map(rows.map((row) => [row.actor, row.name]));
}
