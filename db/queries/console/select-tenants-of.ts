import type { Queryable } from "@/db/client";

const SOURCES = {
  operations:
    "select r.tenant_id from onceboard.idempotency_requests r where r.operation_id = $2::uuid and r.tenant_id = any($1::text[])",
  outbox: `select m.tenant_id from onceboard.outbox_messages m where m.id = $2::uuid and m.tenant_id = any($1::text[])
union all select h.tenant_id from onceboard.outbox_history h where h.id = $2::uuid and h.tenant_id = any($1::text[])`,
  inbox: "select m.tenant_id from onceboard.inbox_messages m where m.id = $2::uuid and m.tenant_id = any($1::text[])",
  plans: "select p.tenant_id from onceboard.plans p where p.id = $2::uuid and p.tenant_id = any($1::text[])",
} as const;
/** Things with a page of their own. */
export type OwnPage = keyof typeof SOURCES;

/** More than two would mean that an id was given twice; the first is taken then. */
const MOST = 2;

/** Which of these tenants have the row behind a page. @param tenants at most one page of tenants */
export async function selectTenantsOf(
  q: Queryable,
  page: OwnPage,
  id: string,
  tenants: readonly string[],
): Promise<string[]> {
  const { rows } = await q.query<{ tenant_id: string }>({
    text: `${SOURCES[page]} limit ${String(MOST)}`,
    values: [tenants, id],
  });
  return rows.map((row) => row.tenant_id);
}
