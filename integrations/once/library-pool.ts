import { databaseTypes, type Database, type Queryable } from "@/db/client";

/** What `pg.Pool` and its own subclasses offer. */
export type PgPool = Database["pool"];

/**
 * The caller's pool as the engine uses it for what is no part of a transaction: data keys, policies, events. Values come out as the
 * engine reads them, whatever the caller's own parsers are, and names of prepared statements do not meet the caller's.
 */
export function libraryDatabase(pool: PgPool): Database {
  const query = (config: Parameters<Queryable["query"]>[0]) => {
    const named = config.name !== undefined && { name: `onceboard_${config.name}` };
    return pool.query({ ...config, ...named, types: databaseTypes } as typeof config);
  };
  const view = Object.assign(Object.create(pool) as PgPool, { query });
  return {
    pool: view,
    get orm(): never {
      throw new Error("drizzle works on pools of our own only");
    },
    // The pool is the caller's to end.
    close: () => Promise.resolve(),
  };
}
