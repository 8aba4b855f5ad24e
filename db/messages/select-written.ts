import { sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { ofRank, outboxRank } from "@/db/outbox/outbox-rank";
import { rowsOf } from "@/db/query";
import type { OutboxState } from "@/domain/idempotency/states";
import type { FlowSpan } from "./select-flow";

const RANK = outboxRank(sql`m.state`, sql`m.position`);
/** Newest messages of each state that are looked at. */
const LOOKED = 2_000;

/**
 * Whether any message was written to the outbox in a time, whatever became of it. Of what waits, is dead or was discarded
 * the newest LOOKED each are looked at, and one that was written after the time counts too: more may have come since than are looked at.
 */
export async function selectWritten(q: Queryable, tenantId: string, { from, to }: FlowSpan): Promise<boolean> {
  const newest = (state: OutboxState) =>
    sql`(select m.created_at from onceboard.outbox_messages m where m.tenant_id = ${tenantId} and ${ofRank(state, RANK)} order by ${RANK} desc limit ${sql.raw(String(LOOKED))})`;
  const [row] = await rowsOf(
    q,
    sql<{
      written: boolean;
    }>`select exists (select from (${newest("pending")} union all ${newest("dead")} union all ${newest("discarded")}) m where m.created_at >= ${from}::timestamptz)
or exists (select from onceboard.outbox_history h where h.tenant_id = ${tenantId} and h.published_at >= ${from}::timestamptz
  and h.day >= (${from}::timestamptz at time zone 'utc')::date and h.created_at >= ${from}::timestamptz and h.created_at < ${to}::timestamptz) as written`,
  );
  return row?.written ?? false;
}
