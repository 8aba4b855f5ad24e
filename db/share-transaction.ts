import type { Queryable } from "./client";

/** One handler's part of a transaction that it shares with others. */
export interface SharedPart {
  /** What the handler works with. It answers no more once its time is over: the connection belongs to somebody else by then. */
  readonly tx: Queryable;
  /** Ends the part and keeps its work. @throws when a statement of it had failed and the handler swallowed that */
  keep(): Promise<void>;
  /**
   * Ends the part and takes its work back, once the statement under way has ended by itself or by its limit.
   * @returns whether the work of those before it is gone with it: only where it is not apart, and wrote or read anything
   */
  undo(): Promise<boolean>;
}

const SAVEPOINT = "savepoint part";
const NEXT = "release savepoint part; savepoint part";
const BACK = "rollback to savepoint part";

/**
 * Divides a transaction among handlers that follow each other. A part that is apart has a savepoint of its own: what it breaks is taken back,
 * the others' work stays. One that is not costs no statement more, and what it breaks takes all of them back that came before it and were not
 * apart. A savepoint is made only once a handler writes or reads, and each one takes the place of the one before it, so that a transaction
 * never has more than one.
 *
 * @param tx of the open transaction
 */
export function shareTransaction(tx: Queryable): { part(apart: boolean): SharedPart } {
  /** The savepoint of the transaction, once somebody needed it. */
  let marked: Promise<unknown> | undefined;
  return {
    part(apart) {
      let ended = false;
      /** What this part asked of the connection last. */
      let last: Promise<unknown> | undefined;
      let failed: { readonly error: unknown } | undefined;
      const end = async (): Promise<boolean> => {
        ended = true;
        await last?.catch(() => undefined);
        return last !== undefined;
      };
      return {
        tx: {
          query<R>(config: Parameters<Queryable["query"]>[0]) {
            if (ended) return Promise.reject(new PartEndedError());
            marked ??= tx.query({ text: SAVEPOINT });
            const result = marked.then(() => tx.query<R>(config));
            last = result;
            result.catch((error: unknown) => (failed = { error }));
            return result;
          },
        },
        async keep() {
          if (!(await end())) return;
          if (apart) await tx.query({ text: NEXT });
          else if (failed !== undefined) throw failed.error;
        },
        async undo() {
          if (!(await end())) return false;
          await tx.query({ text: BACK });
          return !apart;
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
