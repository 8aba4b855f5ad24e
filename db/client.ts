import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { PageReadsFacts } from "@/domain/page-reads";
import { limitPool } from "./limit-pool";
import { observePool, type PoolObserver } from "./observe-pool";
import * as schema from "./schema/index";
import { beginSession, type SessionOptions } from "./session";

/** Connections of one process unless it asks for another number. */
export const DEFAULT_POOL_SIZE = 10;
/** A connection that is not there by then is `dependency.unavailable`. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that runs longer is cancelled: `dependency.timeout`. */
export const STATEMENT_TIMEOUT_MS = 15_000;
/** So long after the server should have cancelled a statement, its connection is taken for dead and destroyed. */
export const ANSWER_GRACE_MS = 5_000;
/** Idle connections are given back after this. */
const IDLE_CONNECTION_MS = 30_000;

/** What a query needs: a pool and a transaction both fit. */
export interface Queryable {
  query<R = Record<string, unknown>>(config: {
    text: string;
    values?: unknown[];
    name?: string;
  }): Promise<{ rows: R[]; rowCount: number | null }>;
}

/** Where the bounded reads of one request for a page may go instead of the primary (`replica/page-reads.ts`). */
export interface PageReads {
  /** Of the read replica. */
  readonly pool: pg.Pool;
  /** @returns until when it surely has everything, ms since 1970 by the primary's clock; undefined: read from the primary */
  begin(): Promise<number | undefined>;
  /** A read on it failed. @returns whether the same read is to be made on the primary, as all that follow in this request */
  gaveUp(error: unknown): boolean;
  /** This request reads from the primary from now on. @returns whether it read from the replica so far */
  leave(): boolean;
  /** Where the last read of this request went; undefined before the first. */
  facts(): PageReadsFacts | undefined;
}

export interface Database {
  readonly pool: pg.Pool & Queryable;
  /** Only of a context that shows a page: whoever acts, and whoever decides by what is read, has none. */
  readonly reads?: PageReads | undefined;
  readonly orm: NodePgDatabase<typeof schema>;
  /** Gives all connections back; may be called twice. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections at once. */
  readonly max?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  /** Instead of {@link ANSWER_GRACE_MS}. */
  readonly answerGraceMs?: number;
  /**
   * `app` (what a process of ours is): writes go through the functions, whoever the URL names, be it the owner of the tables
   * or a superuser. `owner`: as the URL says, for migrations and for tests that put rows into a state of their own.
   */
  readonly role?: "app" | "owner";
  /** Told once when the role is not there, or this user may not take it: the pool then works as the URL's user. */
  readonly onUnguarded?: (reason: string) => void;
  /** Told when an idle connection breaks; the pool replaces it by itself. */
  readonly onError?: (error: Error) => void;
  /** Told how long statements and waits for a connection took. */
  readonly observer?: PoolObserver;
}

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;

/** pg's own: its declaration knows only some types by number, and no array type. */
const defaultParser = pg.types.getTypeParser as (id: number, format?: "text" | "binary") => (value: string) => unknown;

/**
 * How values come out of the database, per connection and never process-wide: int8 is a bigint, a date stays the text
 * `YYYY-MM-DD` (a day has no zone). timestamptz is a Date, which keeps milliseconds only: a keyset cursor must select its
 * own text at microsecond precision.
 */
export const databaseTypes: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: "text" | "binary"): (value: never) => unknown {
    if (format !== "binary") {
      if (id === INT8) return (value: string) => BigInt(value);
      if (id === INT8_ARRAY) {
        return (value: string) =>
          (defaultParser(INT8_ARRAY)(value) as (string | null)[]).map((item) => (item === null ? null : BigInt(item)));
      }
      if (id === DATE) return (value: string) => value;
    }
    return defaultParser(id, format);
  },
};

/**
 * Opens a pool; nothing connects before the first query.
 *
 * @param options.url `postgres://…`; TLS and anything else libpq-like is taken from it
 */
export function createDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  let reported = false;
  const session: SessionOptions = {
    role: options.role ?? "app",
    statementTimeoutMs,
    // Ours, because the pool's limits begin once it has the connection: a server that hangs right after its greeting must not keep the place.
    openTimeoutMs: CONNECT_TIMEOUT_MS,
    onUnguarded(reason) {
      if (!reported) options.onUnguarded?.(reason);
      reported = true;
    },
  };
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max ?? DEFAULT_POOL_SIZE,
    application_name: options.applicationName ?? "onceboard",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: databaseTypes,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, its declaration says void
    onConnect: (client) => beginSession(client, session),
  });
  // Without a listener a broken idle connection would end the process.
  pool.on("error", (error) => options.onError?.(error));
  // Nor one that is just handed out: its taker listens only once the promise of it has settled. The next statement says what is wrong.
  pool.on("connect", (client) => client.on("error", () => undefined));
  limitPool(pool, statementTimeoutMs + (options.answerGraceMs ?? ANSWER_GRACE_MS));
  if (options.observer !== undefined) observePool(pool, options.observer);
  let closing: Promise<void> | undefined;
  return {
    pool,
    orm: drizzle(pool, { schema }),
    close: () => (closing ??= pool.end()),
  };
}
