import { createDatabase, type Queryable } from "@/db/client";
import { parseStartConfig } from "@/domain/config";
import { reachDatabase } from "../startup/reach-database";

/**
 * The database to read chains of: by an address that may be of a user who only reads, or the one that `start` keeps in a data directory.
 * @throws Error in one sentence when none is named, or it does not answer
 */
export async function withChains<T>(
  options: { readonly database?: string | undefined; readonly "data-dir"?: string | undefined },
  run: (db: Queryable) => Promise<T>,
): Promise<T> {
  const dataDir = options["data-dir"];
  const kept = dataDir === undefined ? undefined : await openDataDir(dataDir);
  try {
    const url = kept?.config.databaseUrl ?? options.database ?? parseStartConfig(process.env).databaseUrl;
    if (url === undefined) throw new Error("No database is named: say --database, --data-dir or DATABASE_URL.");
    await reachDatabase(url);
    const db = createDatabase({ url, max: 1, applicationName: "onceboard audit", role: "owner" });
    try {
      return await run(db.pool);
    } finally {
      await db.close();
    }
  } finally {
    await kept?.close();
  }
}

/** Its code is read for who needs it alone: an auditor with an export does not. */
async function openDataDir(dataDir: string) {
  const { openForCommand } = await import("../startup/open-environment");
  return openForCommand(process.env, dataDir);
}
