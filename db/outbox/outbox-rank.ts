import { and, sql, type SQL } from "drizzle-orm";
import type { OutboxFilters } from "@/domain/lists/filters";

/** No message has a greater position; the sums have as many digits as a cursor may carry. */
const PENDING_FROM = sql.raw("100000000000000000");
const DISCARDED_FROM = sql.raw("200000000000000000");

/**
 * Where a message of the small table stands, as the index outbox_messages_list has it: dead ones, then what waits, then what was discarded,
 * each by position.
 */
export function outboxRank(state: SQL, position: SQL): SQL {
  return sql`(case ${state} when 'dead' then 0 when 'pending' then ${PENDING_FROM} else ${DISCARDED_FROM} end + ${position})::bigint`;
}

/** Where messages of such a state lie in that index: whoever looks for them reads no others. */
export function ofRank(filter: OutboxFilters["state"], rank: SQL): SQL | undefined {
  const from =
    filter === "pending" || filter === "failing" ? PENDING_FROM : filter === "discarded" ? DISCARDED_FROM : undefined;
  const to = filter === "discarded" ? undefined : filter === "dead" ? PENDING_FROM : DISCARDED_FROM;
  return and(from && sql`${rank} >= ${from}`, to && sql`${rank} < ${to}`);
}
