import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "@/db/embedded/embedded";
import { migrate } from "@/db/migrate";
import { describeDryRun } from "@/db/migrations/describe-dry-run";
import { dryRun, type Scratch } from "@/db/migrations/dry-run";
import { parseConfig } from "@/domain/config";
import { prepareKeyStore } from "@/engine/bodies/key-stores/open";
import { moduleTables } from "./startup/module-tables";
import { reachDatabase } from "./startup/reach-database";
import { runMain } from "./startup/run-main";

/** Brings the database of MIGRATE_DATABASE_URL, or else of DATABASE_URL, to this version, or with `--dry-run` says what that would do. */
await runMain(async () => {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const config = parseConfig(process.env);
  const databaseUrl = config.migrateDatabaseUrl ?? config.databaseUrl;
  await reachDatabase(databaseUrl);
  if (values["dry-run"]) {
    const modules = await moduleTables(config);
    process.stdout.write(describeDryRun(await dryRun(databaseUrl, openScratch, undefined, modules)));
    return;
  }
  const { applied } = await migrate(databaseUrl, { modules: await moduleTables(config) });
  await prepareKeyStore(config);
  process.stdout.write(applied.length > 0 ? `applied: ${applied.join(", ")}\n` : "the database is up to date\n");
});

/** An embedded PostgreSQL in the system's temporary directory; its files go with it. */
async function openScratch(): Promise<Scratch> {
  const dataDir = mkdtempSync(join(tmpdir(), "onceboard-dry-run-"));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const database = await startEmbedded({ dataDir });
    return { url: database.url, stop: () => database.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
