import type { Database } from "../client";

/** One statement as it went to the database. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Writes down every statement that a pool sends from now on, in order. @returns gives what was written since the last call */
export function recordStatements(db: Pick<Database, "pool">): () => Statement[] {
  let taken: Statement[] = [];
  // Every statement of the pool goes through a client of it, so the clients alone are listened to.
  db.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const noted = (...args: unknown[]): unknown => {
      const [statement] = args as [string | { readonly text: string; readonly values?: unknown[] }];
      taken.push(
        typeof statement === "string"
          ? { text: statement, values: [] }
          : { text: statement.text, values: statement.values ?? [] },
      );
      return query(...args);
    };
    Object.assign(client, { query: noted });
  });
  return () => {
    const done = taken;
    taken = [];
    return done;
  };
}
