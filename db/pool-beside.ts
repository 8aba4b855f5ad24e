import pg from "pg";
import { ANSWER_GRACE_MS, CONNECT_TIMEOUT_MS, databaseTypes, STATEMENT_TIMEOUT_MS } from "./client";
import { limitPool } from "./limit-pool";
import { beginSession } from "./session";

/** What is read beside transactions is short, and most of it is remembered. */
const CONNECTIONS = 2;
const IDLE_MS = 10_000;

/**
 * A few connections of our own beside a pool of somebody else's, to the same database as the same login. Whoever holds all
 * connections of that pool and waits for us would otherwise wait for a connection that never comes free.
 *
 * @param pool its options are taken over, and what its owner does with each new connection
 */
export function poolBeside(pool: pg.Pool): pg.Pool {
  const { options } = pool;
  const beside = new pg.Pool({
    ...options,
    // The pool hides it from whoever lists its options.
    password: options.password,
    max: CONNECTIONS,
    min: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    // A process that has nothing else to do may end.
    allowExitOnIdle: true,
    types: databaseTypes,
    async onConnect(client) {
      const opened: unknown = options.onConnect?.(client);
      await opened;
      await beginSession(client, {
        // It works as its login: the service's own rights are all that it has.
        role: "owner",
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        openTimeoutMs: CONNECT_TIMEOUT_MS,
        onUnguarded: () => undefined,
      });
    },
  });
  beside.on("error", () => undefined);
  beside.on("connect", (client) => {
    client.on("error", () => undefined);
    for (const listener of pool.listeners("connect") as ((made: pg.PoolClient) => void)[]) listener(client);
  });
  limitPool(beside, STATEMENT_TIMEOUT_MS + ANSWER_GRACE_MS);
  return beside;
}
