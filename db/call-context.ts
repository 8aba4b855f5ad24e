import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

/** Until when the work of one caller may begin anything. */
export interface Deadline {
  /** `performance.now()` */
  readonly at: number;
  /** The work has ended: what it left behind, e.g. a batch that is written later, is nobody's request any more. */
  lifted: boolean;
}

export interface OpenTransaction {
  readonly pool: pg.Pool;
  readonly tx: pg.PoolClient;
  done: boolean;
}

interface CallContext {
  readonly deadline?: Deadline | undefined;
  readonly transaction?: OpenTransaction | undefined;
}

/** What follows the work of one caller. It is one storage, because each further one makes every promise of the process dearer. */
const contexts = new AsyncLocalStorage<CallContext | undefined>();

export function callContext(): CallContext | undefined {
  return contexts.getStore();
}

/** Runs work with these members changed; the others stay as they are. */
export function withContext<T>(changed: CallContext, work: () => T): T {
  const { deadline, transaction } = contexts.getStore() ?? {};
  return contexts.run(
    {
      deadline: "deadline" in changed ? changed.deadline : deadline,
      transaction: "transaction" in changed ? changed.transaction : transaction,
    },
    work,
  );
}

/** @returns the function, bound to the context of whoever binds it: a pool calls back from wherever a connection came free */
export function keepContext<Args extends unknown[], T>(call: (...args: Args) => T): (...args: Args) => T {
  const context = contexts.getStore();
  return (...args) => contexts.run(context, call, ...args);
}
