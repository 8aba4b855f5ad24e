import type { Queryable } from "@/db/client";

/** @returns at most two tenants that know this source: one is an answer, two are a question to the sender. */
export async function tenantsOfEventSource(db: Queryable, source: string): Promise<string[]> {
  const { rows } = await db.query<{ tenant_id: string }>({
    name: "tenants_of_event_source",
    text: `select distinct tenant_id from onceboard.event_sources
            where source = $1 and (expires_at is null or expires_at > clock_timestamp()) limit 2`,
    values: [source],
  });
  return rows.map((row) => row.tenant_id);
}
