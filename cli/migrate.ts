import { parseArgs } from "node:util";
import { migrate } from "@/db/migrate";
import { describeDryRun } from "@/db/migrations/describe-dry-run";
import { dryRun } from "@/db/migrations/dry-run";
import { parseConfig } from "@/domain/config";
import { PAYMENTS_TABLES } from "@/payments/tables";
import { reachDatabase } from "./startup/reach-database";
import { runMain } from "./startup/run-main";
import { openScratch } from "./startup/scratch-database";

/** Brings the database of DATABASE_URL to this version, or with `--dry-run` says what that would do. */
await runMain(async () => {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  const { databaseUrl } = parseConfig(process.env);
  await reachDatabase(databaseUrl);
  if (values["dry-run"]) {
    process.stdout.write(describeDryRun(await dryRun(databaseUrl, openScratch)));
    return;
  }
  const { applied } = await migrate(databaseUrl, { modules: [PAYMENTS_TABLES] });
  process.stdout.write(applied.length > 0 ? `applied: ${applied.join(", ")}\n` : "the database is up to date\n");
});
