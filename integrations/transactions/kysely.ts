import { fragmentOf, type SqlTag } from "./sql-tag";
import type { TextRow } from "./text-statement";
import type { Transactions } from "./transactions";

interface KyselyFragment<Tx> {
  execute(executor: Tx): Promise<{ readonly rows: readonly unknown[] }>;
}

interface KyselyDatabase<Tx> {
  transaction(): { execute<T>(work: (tx: Tx) => Promise<T>): Promise<T> };
}

/**
 * Transactions of Kysely.
 * @param sql the tag of `kysely`
 */
export function kyselyTransactions<Tx, Fragment extends KyselyFragment<Tx>>(
  db: KyselyDatabase<Tx>,
  sql: SqlTag<Fragment>,
): Transactions<Tx> {
  return {
    run: (work) => db.transaction().execute(work),
    async query(tx, statement) {
      return (await fragmentOf(sql, statement).execute(tx)).rows as readonly TextRow[];
    },
  };
}
