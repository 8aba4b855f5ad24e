import { sql, type SQL } from "drizzle-orm";

/** No message has a greater position; the sum has as many digits as a cursor may carry. */
const BEHIND_ALL_DEAD = sql.raw("100000000000000000");

/** Where a message stands in the list of what is open, as the index outbox_messages_list has it: dead ones before every position. */
export function outboxRank(state: SQL, position: SQL): SQL {
  return sql`(case when ${state} = 'dead' then 0 else ${BEHIND_ALL_DEAD} end + ${position})::bigint`;
}

/** Finds dead messages among many that wait: they are first in that index. */
export function isRankedDead(state: SQL, position: SQL): SQL {
  return sql`${outboxRank(state, position)} < ${BEHIND_ALL_DEAD}`;
}
