import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** A stored key without the mark of scoped_key.sql: what its caller sent. An expired one keeps the mark of that. */
export function shownKey(key: PgColumn): SQL<string> {
  return sql<string>`regexp_replace(${key}, '·[0-9a-f]{12}(?=$| \\(expired )', '')`;
}

/** Those of a key, whichever client's; both parts are ranges of an index over the stored keys. */
export function hasKey(key: PgColumn, text: string): SQL {
  const marked = sql`${key} between ${`${text}·`} and ${`${text}·g`} and ${shownKey(key)} = ${text}`;
  return sql`(${key} = ${text} or (${marked}))`;
}
