import { AsyncLocalStorage } from "node:async_hooks";
import type { Queryable } from "@/db/client";
import { isConnectionError, mapDatabaseError, neverSent } from "@/db/errors";
import { retried } from "@/db/transaction";
import type { SharedConnections, Transact } from "@/engine/execute/operation";
import { rowOf, textStatement, type TextStatement, type TextRow } from "./text-statement";

/**
 * How a database library runs a transaction, and a statement of ours in it.
 * @typeParam Tx its own transaction object, as its users write their queries with it
 */
export interface Transactions<Tx> {
  /** Commits what `work` did once it ends, and takes it back when it throws. */
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  query(tx: Tx, statement: TextStatement): Promise<readonly TextRow[]>;
  /** Where one transaction may hold the work of several requests; missing: each has its own. */
  readonly shared?: SharedConnections | undefined;
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

/** Whose work runs now, so that work within that work does not wait for it. */
const working = new AsyncLocalStorage<readonly object[]>();
/** The last piece of work of each open transaction. */
const turns = new WeakMap<object, Promise<unknown>>();
let savepoints = 0;

/**
 * Works in a transaction that is open and stays open. What fails is taken back at once, so that a caller who goes on and commits
 * keeps none of it. Pieces of work that are started together follow one another: savepoints know no other order.
 */
export function joinTo<Tx>(transactions: Transactions<Tx>, own: Tx): Transact {
  const open = own as object;
  const command = (text: string) => transactions.query(own, { name: "", text, values: [] });
  const join: Transact = async (work) => {
    savepoints += 1;
    // One name each: work that was started within other work never takes that one's rows back with its own.
    const savepoint = `onceboard_${String(savepoints)}`;
    await command(`savepoint ${savepoint}`);
    try {
      const result = await work(engineSide(transactions, own));
      await command(`release savepoint ${savepoint}`);
      return result;
    } catch (error) {
      // The error of the work says more than that of a connection that is gone.
      await command(`rollback to savepoint ${savepoint}`).catch(() => undefined);
      throw error;
    }
  };
  return (work) => {
    const outer = working.getStore() ?? [];
    if (outer.includes(open)) return join(work);
    const before = turns.get(open) ?? Promise.resolve();
    const turn = before.then(() => working.run([...outer, open], () => join(work)));
    turns.set(
      open,
      turn.catch(() => undefined),
    );
    return turn;
  };
}
