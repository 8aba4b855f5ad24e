import type { Queryable } from "./client";

/** One handler's part of a transaction that it shares with others. */
export interface SharedPart {
  /** What the handler works with. It answers no more once its time is over: the connection belongs to somebody else by then. */
  readonly tx: Queryable;
  /** Ends the part and keeps its work. @throws when a statement of it had failed and the handler swallowed that */
  keep(): Promise<void>;
  /** Ends the part and takes its work back. */
  undo(): Promise<void>;
}

const SAVEPOINT = "savepoint part";
const NEXT = "release savepoint part; savepoint part";
const BACK = "rollback to savepoint part";

/**
 * Divides a transaction among handlers that follow each other: what one of them breaks is taken back, the others' work stays.
 * A savepoint is made only once a handler writes or reads, and each one takes the place of the one before it, so that a
 * transaction never has more than one.
 *
 * @param tx of the open transaction
 */
export function shareTransaction(tx: Queryable): { part(): SharedPart } {
  let marked = false;
  return {
    part() {
      let used = false;
      let ended = false;
      const begin = (): void => {
        if (!marked) {
          marked = true;
          // Not awaited: the connection keeps the order, and were it broken, the next statement would say so.
          tx.query({ text: SAVEPOINT }).catch(() => undefined);
        }
        used = true;
      };
      return {
        tx: {
          query(config) {
            if (ended) return Promise.reject(new PartEndedError());
            begin();
            return tx.query(config);
          },
        },
        async keep() {
          ended = true;
          if (used) await tx.query({ text: NEXT });
        },
        async undo() {
          ended = true;
          if (used) await tx.query({ text: BACK });
        },
      };
    },
  };
}

/** A handler went on after its time. */
export class PartEndedError extends Error {
  constructor() {
    super("the handler's time is over");
    this.name = "PartEndedError";
  }
}
