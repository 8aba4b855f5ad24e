import { createDatabase, type Database } from "@/db/client";
import type { Config } from "@/domain/config";
import { openMigrated } from "./open-environment";

/** A command touches few rows. */
const COMMAND_POOL_SIZE = 2;

/** Opens the database for one command, brings it up to date, and closes it again whatever happens. */
export async function withDatabase<T>(run: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const environment = await openMigrated(process.env);
  try {
    const { config } = environment;
    const db = createDatabase({
      url: config.databaseUrl,
      max: COMMAND_POOL_SIZE,
      applicationName: "onceboard command",
    });
    try {
      return await run(db, config);
    } finally {
      await db.close();
    }
  } finally {
    await environment.close();
  }
}
