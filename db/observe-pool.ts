import type pg from "pg";
import { OutOfTimeError } from "./deadline";
import { whenEnded } from "./limit-pool";

/** Told how the pool does, in milliseconds; must not throw. */
export interface PoolObserver {
  /** One statement ended. @param name of the prepared statement, `begin`, `commit`, `rollback`, or `other` */
  queried(name: string, ms: number): void;
  /** Somebody was given a connection after so long. */
  waited(ms: number): void;
  /** Somebody got none in time. */
  timedOut(): void;
}

type Call = (...args: unknown[]) => unknown;

const OTHER = "other";
const TRANSACTION_WORDS: ReadonlySet<string> = new Set(["begin", "commit", "rollback"]);
/** The pool's own words for a connection that was not there in time; it has no code for it. */
const TIMED_OUT = /timeout exceeded when trying to connect|due to connection timeout/;

/**
 * Measures every statement and every wait of a pool, whichever way it is used: `pool.query`, a transaction, or the ORM.
 * Names are those of our prepared statements, so that there are few of them and no text of a statement leaves here.
 */
export function observePool(pool: pg.Pool, observer: PoolObserver): void {
  const connect = pool.connect.bind(pool) as Call;
  const measuredConnect: Call = (callback) => {
    const started = performance.now();
    const done = (error: unknown): void => {
      if (error === undefined || error === null) observer.waited(performance.now() - started);
      else if (error instanceof OutOfTimeError || (error instanceof Error && TIMED_OUT.test(error.message)))
        observer.timedOut();
    };
    return whenEnded(connect, callback === undefined ? [] : [callback], done);
  };
  Object.assign(pool, { connect: measuredConnect });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Call;
    const measuredQuery: Call = (...args) => {
      const started = performance.now();
      return whenEnded(query, args, () => observer.queried(nameOf(args[0]), performance.now() - started));
    };
    Object.assign(client, { query: measuredQuery });
  });
}

function nameOf(statement: unknown): string {
  if (typeof statement === "string") return wordOf(statement);
  if (typeof statement !== "object" || statement === null || !("name" in statement)) return OTHER;
  return typeof statement.name === "string" && statement.name !== "" ? statement.name : OTHER;
}

/** Transactions begin with `begin isolation level …`. */
function wordOf(text: string): string {
  const word = /^[a-z]+/.exec(text)?.[0] ?? OTHER;
  return TRANSACTION_WORDS.has(word) ? word : OTHER;
}
