import { sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { shownName } from "@/domain/plain-text";
import type { Queryable } from "@/db/client";
import { select } from "@/db/query";
import { apiClients, operators } from "@/db/schema";

const operator = alias(operators, "operator");
const program = alias(apiClients, "program");

/** Name of whom a column keeps as `kind:id`; whoever has none any more, or was kept by name, stands as kept. */
export function actorName<Kept extends PgColumn>(kept: Kept, tenant: PgColumn) {
  const person = select({ name: operator.name })
    .from(operator)
    .where(sql`${kept} like 'operator:%' and ${operator.id} = substr(${kept}, 10)`);
  const client = select({ name: program.name })
    .from(program)
    .where(sql`${kept} like 'client:%' and ${program.tenantId} = ${tenant} and ${program.id} = substr(${kept}, 8)`);
  return sql<Kept["_"]["notNull"] extends true ? string : string | null>`coalesce(${person}, ${client}, ${kept})`;
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
  return new Map(rows.map((row) => [row.actor, shownName(row.name)]));
}
