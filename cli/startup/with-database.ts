import { createDatabase, type Database } from "@/db/client";
import type { Config } from "@/domain/config";
import { openForCommand } from "./open-environment";

/** A command touches few rows. */
const COMMAND_POOL_SIZE = 2;

/**
 * Opens the database for one command and closes it again whatever happens.
 *
 * @param dataDir of `--data-dir`: the embedded database there instead of the one of DATABASE_URL
 */
export async function withDatabase<T>(
  dataDir: string | undefined,
  run: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const environment = await openForCommand(process.env, dataDir);
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
