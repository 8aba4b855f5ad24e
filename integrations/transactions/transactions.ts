import type { Queryable } from "@/db/client";
import { isConnectionError, mapDatabaseError, neverSent } from "@/db/errors";
import { retried } from "@/db/transaction";
import type { Transact } from "@/engine/execute/operation";
import { rowOf, textStatement, type TextStatement, type TextRow } from "./text-statement";

/**
 * How a database library runs a transaction, and a statement of ours in it.
 * @typeParam Tx its own transaction object, as its users write their queries with it
 */
export interface Transactions<Tx> {
  /** Commits what `work` did once it ends, and takes it back when it throws. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  query(tx: Tx, statement: TextStatement): Promise<readonly TextRow[]>;
}

/** The engine's hand on a transaction of the library. */
export interface LibraryTransaction<Tx> extends Queryable {
  readonly own: Tx;
}

function engineSide<Tx>(transactions: Transactions<Tx>, own: Tx): LibraryTransaction<Tx> {
  return {
    own,
    async query<R>(config: Parameters<Queryable["query"]>[0]) {
      const rows = (await transactions.query(own, textStatement(config))).map((row) => rowOf(row) as R);
      return { rows, rowCount: rows.length };
    },
  };
}

/** Begins a transaction for each piece of work; one that lost against another is run again from its start. */
export function beginBy<Tx>(transactions: Transactions<Tx>): Transact {
  return (work) =>
    retried(async () => {
      const progress = { worked: false };
      try {
        return await transactions.run(async (own) => {
          const result = await work(engineSide(transactions, own));
          progress.worked = true;
          return result;
        });
      } catch (error) {
        // It was on its way to be committed: nobody knows whether it was.
        if (progress.worked && isConnectionError(error))
          throw mapDatabaseError(error, { certainty: neverSent(error) ? "definite" : "indefinite" });
        throw error;
      }
    });
}

/**
 * Works in a transaction that is open and stays open. What fails is taken back at once, so that a caller who goes on and commits
 * keeps none of it.
 */
export function joinTo<Tx>(transactions: Transactions<Tx>, own: Tx): Transact {
  const command = (text: string) => transactions.query(own, { name: "", text, values: [] });
  return async (work) => {
    await command("savepoint onceboard");
    try {
      const result = await work(engineSide(transactions, own));
      await command("release savepoint onceboard");
      return result;
    } catch (error) {
      // The error of the work says more than that of a connection that is gone.
      await command("rollback to savepoint onceboard").catch(() => undefined);
      throw error;
    }
  };
}
