import type { Queryable } from "./client";

/** One handler's part of a transaction that it shares with others. */
export interface SharedPart {
  /** What the handler works with. It answers no more once its time is over: the connection belongs to somebody else by then. */
  readonly tx: Queryable;
  /** Ends the part and keeps its work. @throws when a statement of it had failed and the handler swallowed that */
  keep(): Promise<void>;
  /** Ends the part and takes its work back, once the statement under way has ended by itself or by its limit. */
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
  /** The savepoint of the transaction, once somebody needed it. */
  let marked: Promise<unknown> | undefined;
  return {
    part() {
      let ended = false;
      /** What this part asked of the connection last. */
      let last: Promise<unknown> | undefined;
      const end = async (text: string): Promise<void> => {
        ended = true;
        if (last === undefined) return;
        await last.catch(() => undefined);
        await tx.query({ text });
      };
      return {
        tx: {
          query<R>(config: Parameters<Queryable["query"]>[0]) {
            if (ended) return Promise.reject(new PartEndedError());
            marked ??= tx.query({ text: SAVEPOINT });
            const result = marked.then(() => tx.query<R>(config));
            last = result;
            return result;
          },
        },
        keep: () => end(NEXT),
        undo: () => end(BACK),
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
