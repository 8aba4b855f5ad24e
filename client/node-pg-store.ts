import { createHash } from "node:crypto";
import { byAge, identityOf, requirePendingAction, type PendingAction, type PendingStore } from "./pending-store";

/** A `Pool` of the package `pg`, or whatever answers like one. Each statement commits by itself. */
export interface PendingPool {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

export interface PgStoreOptions {
  /** Keeps the actions of different accounts of one table apart: nobody may resume another's payment. */
  readonly namespace?: string;
}

/** For a migration of your own. The store finds the table by the `search_path` of its pool. */
export const CREATE_PENDING_TABLE = `create table if not exists onceboard_pending (
  namespace text not null,
  identity_hash text not null,
  key text not null,
  action text not null,
  primary key (namespace, identity_hash)
)`;

/** Of whoever opens and of whoever removes the same action at the same time, one is done after a few turns. */
const MAX_TURNS = 10;

/**
 * For services with a PostgreSQL of their own: one row per pending action, shared by all their processes. The primary key lets only
 * one of them name an action. It is committed before the first byte leaves, so give it the pool and not a transaction.
 */
export function createPgStore(pool: PendingPool, { namespace = "" }: PgStoreOptions = {}): PendingStore {
  const rowOf = (action: PendingAction): [string, string] => [
    namespace,
    createHash("sha256").update(identityOf(action)).digest("hex"),
  ];
  const actionsOf = async (statement: string, values: unknown[]): Promise<PendingAction[]> => {
    const { rows } = await pool.query(statement, values);
    return rows.map((row) => requirePendingAction(String(row["action"]), "A row of onceboard_pending"));
  };
  return {
    async open(action) {
      const row = rowOf(action);
      for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
        const inserted = await pool.query(INSERT, [...row, action.key, JSON.stringify(action)]);
        if (inserted.rows.length > 0) return action;
        const [kept] = await actionsOf(SELECT, row);
        if (kept) return kept;
      }
      throw new Error(`The row ${row.join(" ")} of onceboard_pending is there and gone again and again.`);
    },
    async remove(action) {
      await pool.query(DELETE, [...rowOf(action), action.key]);
    },
    async list() {
      return (await actionsOf(LIST, [namespace])).sort(byAge);
    },
  };
}

const INSERT = `insert into onceboard_pending (namespace, identity_hash, key, action) values ($1, $2, $3, $4)
  on conflict do nothing returning key`;
const SELECT = "select action from onceboard_pending where namespace = $1 and identity_hash = $2";
const DELETE = "delete from onceboard_pending where namespace = $1 and identity_hash = $2 and key = $3";
const LIST = "select action from onceboard_pending where namespace = $1";
