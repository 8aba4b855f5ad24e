import { createDatabase, type Database } from "@/db/client";

/** One statement as it went to the database. */
export interface Recorded {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Types of the parameters, as the database understood them. */
  readonly types?: readonly string[];
}

interface Statement {
  readonly text: string;
  readonly values?: unknown[];
}

/** A database that writes down every statement, in order: the raw measurement runs exactly these. */
export function createRecordingDatabase(url: string): {
  readonly db: Database;
  readonly take: () => Promise<Recorded[]>;
} {
  const db = createDatabase({ url, max: 1, applicationName: "bench recording" });
  let taken: Recorded[] = [];
  const note = (statement: string | Statement): void => {
    taken.push(
      typeof statement === "string"
        ? { text: statement, values: [] }
        : { text: statement.text, values: statement.values ?? [] },
    );
  };
  // Every statement of the pool goes through a client of it, so the clients alone are listened to.
  db.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const noted = (...args: unknown[]): unknown => {
      note(args[0] as string | Statement);
      return query(...args);
    };
    Object.assign(client, { query: noted });
  });
  return {
    db,
    async take() {
      const done = taken;
      const { rows } = await db.pool.query<{ statement: string; types: string[] }>({
        text: "select statement, parameter_types::text[] as types from pg_prepared_statements",
      });
      taken = [];
      const types = new Map(rows.map((row) => [row.statement, row.types]));
      return done.map((statement) => ({ ...statement, types: types.get(statement.text) ?? [] }));
    },
  };
}
