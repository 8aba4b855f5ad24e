import type { Database } from "@/db/client";
import { runOnce } from "@/db/transaction";
import type { Transactions } from "./transactions";

/** A connection of `pg`, as it comes out of the caller's pool. */
export type PgClient = Parameters<Parameters<typeof runOnce>[1]>[0];

/** Transactions of `pg` on connections of this pool. */
export function pgTransactions(pool: Database["pool"]): Transactions<PgClient> {
  return {
    run: (work) => runOnce(pool, work),
    async query(client, { name, text, values }) {
      const { rows } = await client.query<Record<string, unknown>>({
        text,
        values: [...values],
        ...(name !== "" && { name }),
      });
      return rows;
    },
  };
}
