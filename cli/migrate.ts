import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "@/db/embedded/embedded";
import { migrate } from "@/db/migrate";
import { describeDryRun } from "@/db/migrations/describe-dry-run";
import { dryRun, type Scratch } from "@/db/migrations/dry-run";
import { ensureLogin, loginOf, type ProcessLogin } from "@/db/migrations/process-login";
import { parseConfig, type Config } from "@/domain/config";
import { prepareKeyStore } from "@/engine/bodies/key-stores/open";
import { moduleTables } from "./startup/module-tables";
import { reachDatabase } from "./startup/reach-database";
import { runMain } from "./startup/run-main";

/**
 * Brings the database of MIGRATE_DATABASE_URL, or else of DATABASE_URL, to this version, or with `--dry-run` says what that would do.
 * With `--login` it also makes the login that DATABASE_URL names, for the processes alone; with `--distribute` it distributes the tables by
 * tenant over the nodes of Citus.
 */
await runMain(async () => {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      login: { type: "boolean", default: false },
      distribute: { type: "boolean", default: false },
    },
  });
  const { distribute } = values;
  if (distribute && values["dry-run"])
    throw new Error("--dry-run says what migrations lock, and nothing of --distribute.");
  const config = parseConfig(process.env);
  const login = values.login ? ownLogin(config) : undefined;
  const databaseUrl = config.migrateDatabaseUrl ?? config.databaseUrl;
  await reachDatabase(databaseUrl);
  if (values["dry-run"]) {
    const modules = await moduleTables(config);
    process.stdout.write(describeDryRun(await dryRun(databaseUrl, openScratch, undefined, modules)));
    return;
  }
  const { applied } = await migrate(databaseUrl, { modules: await moduleTables(config), distribute });
  if (login !== undefined) await ensureLogin(databaseUrl, login);
  await prepareKeyStore(config);
  process.stdout.write(applied.length > 0 ? `applied: ${applied.join(", ")}\n` : "the database is up to date\n");
});

/** Said before anything is migrated. @throws Error in one sentence */
function ownLogin({ databaseUrl, migrateDatabaseUrl }: Config): ProcessLogin {
  if (migrateDatabaseUrl === undefined)
    throw new Error("--login makes the login of DATABASE_URL, so MIGRATE_DATABASE_URL has to name the owner.");
  const [{ host, pathname }, owner] = [new URL(databaseUrl), new URL(migrateDatabaseUrl)];
  if (host !== owner.host || pathname !== owner.pathname)
    throw new Error("--login wants DATABASE_URL and MIGRATE_DATABASE_URL to name one database.");
  return loginOf(databaseUrl);
}

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
