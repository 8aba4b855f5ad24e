import { sql, type SQL } from "drizzle-orm";

/** The one member of a payload that is sealed; destroy_data_keys() and the size of a body know it too. */
export const SEALED_MEMBER = "onceboard.sealed";

/**
 * Whether a payload is sealed by the key of a day that was destroyed. What is sealed begins with its version and the day's number since
 * 1970, three bytes or four characters; what a service wrote under that member may be anything.
 * @param m alias of a table with `tenant_id` and `payload`
 */
export function payloadPurged(m: SQL): SQL {
  const head = sql`left(${m}.payload ->> ${SEALED_MEMBER}, 4)`;
  return sql`case when ${head} ~ '^[A-Za-z0-9+/]{4}$' then exists (select from onceboard.data_keys k
    where k.tenant_id = ${m}.tenant_id and k.purpose = 'body' and k.destroyed_at is not null and k.day = date '1970-01-01'
      + get_byte(decode(${head}, 'base64'), 1) * 256 + get_byte(decode(${head}, 'base64'), 2)) else false end`;
}
