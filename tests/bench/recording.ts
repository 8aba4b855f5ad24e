import { createDatabase, type Database } from "@/db/client";
import { recordStatements, type Statement } from "@/db/testing/record-statements";

/** One statement as it went to the database. */
export interface Recorded extends Statement {
  /** Types of the parameters, as the database understood them. */
  readonly types?: readonly string[];
}

/** A database that writes down every statement, in order: the raw measurement runs exactly these. */
export function createRecordingDatabase(url: string): {
  readonly db: Database;
  readonly take: () => Promise<Recorded[]>;
} {
  const db = createDatabase({ url, max: 1, applicationName: "bench recording" });
  const written = recordStatements(db);
  return {
    db,
    async take() {
      const done = written();
      const { rows } = await db.pool.query<{ statement: string; types: string[] }>({
        text: "select statement, parameter_types::text[] as types from pg_prepared_statements",
      });
      // What asked for the types is none of them.
      written();
      const types = new Map(rows.map((row) => [row.statement, row.types]));
      return done.map((statement) => ({ ...statement, types: types.get(statement.text) ?? [] }));
    },
  };
}
