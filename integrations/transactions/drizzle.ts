import { fragmentOf, type SqlTag } from "./sql-tag";
import type { TextRow } from "./text-statement";
import type { Transactions } from "./transactions";

interface DrizzleTransaction<Fragment> {
  execute(query: Fragment): PromiseLike<unknown>;
}

interface DrizzleDatabase<Tx> {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Transactions of drizzle-orm, whatever driver of PostgreSQL it stands on.
 * @param sql the tag of `drizzle-orm`
 */
export function drizzleTransactions<Fragment, Tx extends DrizzleTransaction<Fragment>>(
  db: DrizzleDatabase<Tx>,
  sql: SqlTag<Fragment>,
): Transactions<Tx> {
  return {
    run: (work) => db.transaction(work),
    async query(tx, statement) {
      const result = await tx.execute(fragmentOf(sql, statement));
      // node-postgres answers with an object, postgres.js with the list itself.
      return (Array.isArray(result) ? result : (result as { rows: TextRow[] }).rows) as readonly TextRow[];
    },
  };
}
