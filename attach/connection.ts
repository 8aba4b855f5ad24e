import pg from "pg";
import { AppError } from "@/domain/errors";
import { FOREIGN_ANSWER_MS, limitOf, FOREIGN_LOCK_MS, FOREIGN_STATEMENT_MS, type ForeignLimit } from "./limits";

/** Connections to somebody else's database. */
const MAX_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** A transaction of ours that stands still must not hold back their vacuum. */
const IDLE_IN_TRANSACTION_MS = 5_000;
const IDLE_CONNECTION_MS = 10_000;

/**
 * Within a key of several columns PostgreSQL estimates a comparison of rows from the first one alone, and would rather read and sort what it
 * takes for two rows.
 */
const WALK =
  "begin read only; set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off";

export interface ForeignTransaction {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Ends it; an error without a code of PostgreSQL may come after the database committed. */
  commit(): Promise<void>;
  /** Ends it without effect, whatever became of the connection. */
  rollback(): Promise<void>;
}

/** A database that is not ours, read and changed by nothing but short statements. */
export interface Foreign {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same in a transaction that changes nothing, in which the planner walks an index in its order wherever there is one. */
  walk<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Several statements in one such transaction. */
  walking<Value>(use: (query: Foreign["query"]) => Promise<Value>): Promise<Value>;
  /** Begins a transaction that may change rows; its connection goes back when it ends. */
  begin(): Promise<ForeignTransaction>;
  /** Gives all connections back; may be called twice. */
  close(): Promise<void>;
}

export interface ForeignOptions {
  /** Told of each statement that a limit ended. */
  readonly onLimit?: ((limit: ForeignLimit) => void) | undefined;
}

/**
 * Opens a database that a team already has.
 *
 * @param url `postgres://login:password@host:port/database`
 * @throws AppError `attach.unreachable` when nobody answers there, `attach.superuser` for a login that may do everything: its
 * mistakes would be everybody's
 */
export async function openForeign(url: string, { onLimit }: ForeignOptions = {}): Promise<Foreign> {
  const told = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      const limit = limitOf(error);
      if (limit !== undefined) onLimit?.(limit);
      throw error;
    }
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    application_name: "onceboard attach",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: FOREIGN_STATEMENT_MS,
    query_timeout: FOREIGN_ANSWER_MS,
    lock_timeout: FOREIGN_LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    allowExitOnIdle: true,
  });
  pool.on("error", () => undefined);
  // One that breaks while it is ours fails its next statement; unheard, it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  let closed: Promise<void> | undefined;
  const foreign: Foreign = {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await told(pool.query({ text, values: [...values] }));
      return rows as Row[];
    },
    walk: (text, values) => told(walking(pool, (query) => query(text, values))),
    walking: (use) => told(walking(pool, use)),
    async begin() {
      const tx = await begin(pool);
      return { ...tx, query: (text, values) => told(tx.query(text, values)) };
    },
    close: () => (closed ??= pool.end()),
  };
  try {
    await refuseSuperuser(foreign);
  } catch (error) {
    await foreign.close();
    throw error;
  }
  return foreign;
}

async function walking<Value>(pool: pg.Pool, use: (query: Foreign["query"]) => Promise<Value>): Promise<Value> {
  const client = await pool.connect();
  let value: Value;
  try {
    await client.query(WALK);
    value = await use(async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query({ text, values: [...values] });
      return rows as Row[];
    });
  } catch (error) {
    client.release(true);
    throw error;
  }
  // It changed nothing, so nobody waits for its end.
  client.query("commit").then(
    () => {
      client.release();
    },
    () => {
      client.release(true);
    },
  );
  return value;
}

async function begin(pool: pg.Pool): Promise<ForeignTransaction> {
  const client = await pool.connect();
  const end = async (statement: string): Promise<void> => {
    try {
      await client.query(statement);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  };
  try {
    await client.query("begin");
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await client.query({ text, values: [...values] });
      return rows as Row[];
    },
    commit: () => end("commit"),
    rollback: () => end("rollback").catch(() => undefined),
  };
}

async function refuseSuperuser(foreign: Foreign): Promise<void> {
  let rows: readonly { readonly name: string; readonly super: boolean }[];
  try {
    rows = await foreign.query("select rolname as name, rolsuper as super from pg_roles where rolname = session_user");
  } catch (error) {
    // The driver's text names the host, and never the password.
    const because = error instanceof Error && error.message !== "" ? error.message : "nobody answered";
    throw new AppError("attach.unreachable", 502, "The attached database cannot be reached", {
      detail: `The database cannot be reached: ${because}.`,
      retryable: true,
      cause: error,
    });
  }
  if (rows[0]?.super === true)
    throw new AppError("attach.superuser", 422, "The login of an attachment may not be a superuser", {
      detail: `${rows[0].name} is a superuser: give a login that may do less.`,
    });
}
