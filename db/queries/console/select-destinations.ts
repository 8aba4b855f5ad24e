import type { Queryable } from "@/db/client";

export interface DestinationDbRow {
  readonly topic: string;
  readonly pending: number;
  readonly dead: number;
  readonly oldest_ms: number | null;
}

const DESTINATIONS = 50;

/** What waits and what is dead per topic, exact: the open outbox is small. */
export async function selectDestinations(q: Queryable, tenantId: string): Promise<DestinationDbRow[]> {
  const { rows } = await q.query<DestinationDbRow>({
    text: `select m.topic, count(*) filter (where m.state = 'pending')::int as pending, count(*) filter (where m.state = 'dead')::int as dead,
  (extract(epoch from now() - min(m.created_at) filter (where m.state = 'pending')) * 1000)::float8 as oldest_ms
from onceboard.outbox_messages m where m.tenant_id = $1 group by m.topic order by 2 desc, 1 limit $2`,
    values: [tenantId, DESTINATIONS],
  });
  return rows;
}
