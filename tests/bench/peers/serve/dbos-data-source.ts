import type pg from "pg";
import type { Queryable } from "@/db/client";

type Invoked = (...args: never[]) => Promise<unknown>;

interface Handler {
  readonly name: string;
  initialize(): Promise<void>;
  destroy(): Promise<void>;
  invokeTransactionFunction(config: unknown, target: unknown, func: Invoked, ...args: never[]): Promise<unknown>;
}

/** What the SDK offers to whoever writes a data source. */
export interface DataSourceLibrary {
  readonly registerDataSource: (handler: Handler) => void;
  readonly runTransaction: <T>(
    work: () => Promise<T>,
    name: string,
    options: { readonly dsName: string },
  ) => Promise<T>;
}

const SOURCE = "orders";
const TABLE =
  "create table if not exists step_ends (workflow_id text, step_id int, output text not null, primary key (workflow_id, step_id))";
const FOUND = "select output from step_ends where workflow_id = $1 and step_id = $2";
const ENDED = "insert into step_ends (workflow_id, step_id, output) values ($1, $2, $3)";

/**
 * The thinnest data source that the SDK allows: the end of a step is a row in the transaction of the step.
 *
 * @returns runs work in such a transaction
 */
export function transactionsOf(
  { registerDataSource, runTransaction }: DataSourceLibrary,
  pool: pg.Pool & Queryable,
  step: () => { readonly workflowID: string; readonly stepID: number },
): <T>(work: (tx: Queryable) => Promise<T>) => Promise<T> {
  const open = new Map<string, Queryable>();
  registerDataSource({
    name: SOURCE,
    initialize: async () => void (await pool.query(TABLE)),
    destroy: () => Promise.resolve(),
    async invokeTransactionFunction(_config, target, func, ...args) {
      const { workflowID, stepID } = step();
      const ends = await pool.query<{ output: string }>({
        ...{ name: "step_found", text: FOUND, values: [workflowID, stepID] },
      });
      const [end] = ends.rows;
      if (end !== undefined) return JSON.parse(end.output) as unknown;
      const client = await pool.connect();
      try {
        await client.query("begin");
        open.set(workflowID, client);
        const output = await Reflect.apply(func, target, args);
        await client.query({ name: "step_ended", text: ENDED, values: [workflowID, stepID, JSON.stringify(output)] });
        await client.query("commit");
        client.release();
        return output;
      } catch (error) {
        // With its connection goes what was open.
        client.release(true);
        throw error;
      } finally {
        open.delete(workflowID);
      }
    },
  });
  return (work) =>
    runTransaction(
      async () => {
        const tx = open.get(step().workflowID);
        if (tx === undefined) throw new Error("this step has no transaction");
        return work(tx);
      },
      "insert",
      { dsName: SOURCE },
    );
}
