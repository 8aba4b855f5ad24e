import type { Database } from "@/db/client";
import { CONNECT_TIMEOUT_MS } from "@/db/client";
import { isPooled } from "@/db/session";
import { runOnce } from "@/db/transaction";
import type { Transactions } from "./transactions";

/** A connection of `pg`, as it comes out of the caller's pool. */
export type PgClient = Parameters<Parameters<typeof runOnce>[1]>[0];

const connections = new WeakMap<PgClient, Promise<boolean>>();

/** Behind a pooler the next transaction has another session, where nothing is prepared. Asked once a connection. */
function pooled(client: PgClient): Promise<boolean> {
  let known = connections.get(client);
  if (known === undefined) {
    known = isPooled(client, CONNECT_TIMEOUT_MS);
    connections.set(client, known);
    known.catch(() => connections.delete(client));
  }
  return known;
}

/** Transactions of `pg` on connections of this pool. */
export function pgTransactions(pool: Database["pool"]): Transactions<PgClient> {
  return {
    run: (work) => runOnce(pool, work),
    async query(client, { name, text, values }) {
      const kept = name !== "" && !(await pooled(client));
      const { rows } = await client.query<Record<string, unknown>>({
        text,
        values: [...values],
        ...(kept && { name }),
      });
      return rows;
    },
  };
}
