import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface SavedViewRow {
  readonly id: string;
  readonly page: string;
  readonly name: string;
  readonly search: string;
  readonly created_by: string;
  /** Of a person who still has an account, or of an API key's client. */
  readonly creator: string | null;
  readonly updated_at: string;
}

const SELECT = `select v.id, v.page, v.name, v.search, v.created_by, coalesce(o.name, c.name) as creator, ${iso("v.updated_at")} as updated_at
from onceboard.saved_views v
left join onceboard.operators o on o.id = v.created_by
left join onceboard.api_clients c on c.tenant_id = v.tenant_id and c.id = v.created_by`;

/** Views of one list, or of all of them, by name. @param limit most rows */
export async function selectSavedViews(
  q: Queryable,
  tenantId: string,
  page: string | undefined,
  limit: number,
): Promise<SavedViewRow[]> {
  const { rows } = await q.query<SavedViewRow>({
    text: `${SELECT} where v.tenant_id = $1 and ($2::text is null or v.page = $2) order by v.name, v.id limit $3`,
    values: [tenantId, page ?? null, limit],
  });
  return rows;
}

/** @param lock keeps it as it is until the transaction ends */
export async function selectSavedView(
  q: Queryable,
  tenantId: string,
  id: string,
  lock = false,
): Promise<SavedViewRow | undefined> {
  const { rows } = await q.query<SavedViewRow>({
    text: `${SELECT} where v.tenant_id = $1 and v.id = $2${lock ? " for no key update of v" : ""}`,
    values: [tenantId, id],
  });
  return rows[0];
}
