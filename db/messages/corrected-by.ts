import { sql, type SQL } from "drizzle-orm";

/** What was sent in place of a discarded message of the outbox; null where nothing was. @param m alias of the outbox's table */
export function correctedBy(m: string): SQL<string | null> {
  const of = sql.raw(m);
  return sql<string | null>`case when ${of}.state = 'discarded' then (
    select d.corrected_by from onceboard.dead_letters d
    where d.tenant_id = ${of}.tenant_id and d.side = 'outbox' and d.message_row_id = ${of}.id and d.corrected_by is not null limit 1) end`;
}
