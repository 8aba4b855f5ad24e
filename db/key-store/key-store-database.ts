import { randomUUID } from "node:crypto";
import { createDatabase, type Database } from "../client";

/** Few and small statements: a key store is asked once a minute, process and tenant. */
const CONNECTIONS = 2;
const STATEMENT_TIMEOUT_MS = 5_000;
/** How long the rewrite of the table may wait for readers, and they for it. */
const LOCK_TIMEOUT_MS = 2_000;

/** Its own schema, beside nothing of ours: made by {@link KeyStoreDatabase.prepare}, changed by nothing. */
const TABLES = `
  create schema if not exists onceboard_keys;
  create table if not exists onceboard_keys.store (only_row boolean primary key default true check (only_row), id uuid not null);
  create table if not exists onceboard_keys.periods (
    tenant_id text not null,
    day date not null,
    key bytea not null check (length(key) = 32),
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, day));`;

/** Keys of periods in a PostgreSQL of their own. */
export interface KeyStoreDatabase {
  /** Makes the tables where they are missing. May be called by any number of processes at once, at any time. */
  prepare(): Promise<void>;
  /** @returns undefined before {@link prepare} */
  id(): Promise<string | undefined>;
  /** @param fresh 32 bytes, kept when there is no key yet @returns the key that stands */
  ensure(tenantId: string, day: string, fresh: Buffer): Promise<Buffer>;
  read(tenantId: string, day: string): Promise<Buffer | undefined>;
  /** Deletes keys and rewrites the table without them, so that no page of it holds them. */
  destroy(tenantId: string, days: readonly string[]): Promise<void>;
  daysBefore(tenantId: string, before: string, limit: number): Promise<string[]>;
  close(): Promise<void>;
}

/** @param url of a database that is backed up, and whose log is kept, for days at most */
export function openKeyStoreDatabase(url: string): KeyStoreDatabase {
  const database = createDatabase({
    url,
    max: CONNECTIONS,
    applicationName: "onceboard keys",
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    role: "owner",
  });
  const { pool } = database;

  async function read(tenantId: string, day: string): Promise<Buffer | undefined> {
    const { rows } = await pool.query<{ key: Buffer }>({
      text: "select key from onceboard_keys.periods where tenant_id = $1 and day = $2",
      values: [tenantId, day],
    });
    return rows[0]?.key;
  }

  return {
    async prepare() {
      const { rows } = await pool.query<{ there: boolean }>({
        text: "select to_regclass('onceboard_keys.periods') is not null and to_regclass('onceboard_keys.store') is not null as there",
      });
      // One at a time: CREATE IF NOT EXISTS of two sessions at once may fail in one of them.
      if (rows[0]?.there !== true)
        await pool.query({
          text: `begin; select pg_advisory_xact_lock(hashtext('onceboard_keys')); ${TABLES} commit;`,
        });
      await pool.query({
        text: "insert into onceboard_keys.store (id) values ($1) on conflict do nothing",
        values: [randomUUID()],
      });
    },
    async id() {
      const { rows } = await pool.query<{ id: string }>({ text: "select id from onceboard_keys.store" });
      return rows[0]?.id;
    },
    async ensure(tenantId, day, fresh) {
      await pool.query({
        text: "insert into onceboard_keys.periods (tenant_id, day, key) values ($1, $2, $3) on conflict do nothing",
        values: [tenantId, day, fresh],
      });
      const key = await read(tenantId, day);
      if (key === undefined) throw new Error("the key of the period was destroyed while it was made");
      return key;
    },
    read,
    async destroy(tenantId, days) {
      await pool.query({
        text: "delete from onceboard_keys.periods where tenant_id = $1 and day = any ($2::date[])",
        values: [tenantId, days],
      });
      await rewriteTable(pool);
    },
    async daysBefore(tenantId, before, limit) {
      const { rows } = await pool.query<{ day: string }>({
        text: `select day from onceboard_keys.periods where tenant_id = $1 and day < $2::date and created_at < $2::date
               order by day limit $3`,
        values: [tenantId, before, limit],
      });
      return rows.map((row) => row.day);
    },
    close: () => database.close(),
  };
}

/** A deleted row stays in its page until something else is written there: so the table is written anew. */
async function rewriteTable(pool: Database["pool"]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = ${String(LOCK_TIMEOUT_MS)}`);
    await client.query("vacuum (full) onceboard_keys.periods");
    await client.query("reset lock_timeout");
    client.release();
  } catch (error) {
    // Its settings are not what the next one expects.
    client.release(true);
    throw error;
  }
}
