import type { Database, Queryable } from "@/db/client";
import { CONNECT_TIMEOUT_MS, databaseTypes } from "@/db/client";
import { isPooled } from "@/db/session";
import { runOnce } from "@/db/transaction";
import type { LibraryTransaction, Transactions } from "./transactions";

/** A connection of `pg`, as it comes out of the caller's pool. */
export type PgClient = Parameters<Parameters<typeof runOnce>[1]>[0];

const connections = new WeakMap<PgClient, Promise<boolean>>();

/** Behind a pooler the next transaction has another session, where nothing is prepared. Asked once a connection. */
function pooled(client: PgClient): Promise<boolean> {
  let known = connections.get(client);
  if (known === undefined) {
    known = isPooled(client, CONNECT_TIMEOUT_MS);
    connections.set(client, known);
    known.catch(() => connections.delete(client));
  }
  return known;
}

/** Transactions of `pg` on connections of this pool. */
export function pgTransactions(pool: Database["pool"]): Transactions<PgClient> {
  return {
    run: (work) => runOnce(pool, work),
    async query(client, { name, text, values }) {
      const kept = name !== "" && !(await pooled(client));
      const { rows } = await client.query<Record<string, unknown>>({
        text,
        values: [...values],
        ...(kept && { name }),
      });
      return rows;
    },
    shared: {
      pool,
      ours: (tx) => ownStatements(tx as PgClient),
      theirs: (tx): LibraryTransaction<PgClient> => ({
        ...ownStatements(tx as PgClient),
        own: oneAtATime(tx as PgClient),
      }),
    },
  };
}

/** Statements of the engine, read by its own types whatever the caller's `pg` makes of them. */
function ownStatements(client: PgClient): Queryable {
  return {
    async query<R>({ name = "", text, values = [] }: Parameters<Queryable["query"]>[0]) {
      const kept = name !== "" && !(await pooled(client));
      const { rows, rowCount } = await client.query<Record<string, unknown>>({
        ...{ text, values: [...values], types: databaseTypes },
        ...(kept && { name: `onceboard_${name}` }),
      });
      return { rows: rows as R[], rowCount };
    },
  };
}

/** The connection for several pieces of work: a query begins once the one before has ended, whosever it is. */
function oneAtATime(client: PgClient): PgClient {
  let last: Promise<unknown> = Promise.resolve();
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]): unknown => {
    const run = (): unknown => send(...args);
    // With a callback, or as a cursor: `pg` has a queue for these itself.
    const [first] = args;
    const submits = typeof first === "object" && first !== null && "submit" in first;
    if (submits || typeof args.at(-1) === "function") return run();
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === "query") return query;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
