import type { Queryable } from "@/db/client";

/**
 * SQL for the name of whom a column keeps as `kind:id`; whoever has none any more, or was kept by name, stands as kept.
 * @param column e.g. `o.assigned_to` @param tenant expression of the tenant's id
 */
export function actorName(column: string, tenant: string): string {
  const person = `(select x.name from onceboard.operators x where ${column} like 'operator:%' and x.id = substr(${column}, 10))`;
  const program = `(select x.name from onceboard.api_clients x where ${column} like 'client:%' and x.tenant_id = ${tenant} and x.id = substr(${column}, 8))`;
  return `coalesce(${person}, ${program}, ${column})`;
}

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
