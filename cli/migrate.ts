import { migrate } from "@/db/migrate";
import { parseConfig } from "@/domain/config";
import { reachDatabase } from "./startup/reach-database";
import { runMain } from "./startup/run-main";

await runMain(async () => {
  const { databaseUrl } = parseConfig(process.env);
  await reachDatabase(databaseUrl);
  const { applied } = await migrate(databaseUrl);
  process.stdout.write(applied.length > 0 ? `applied: ${applied.join(", ")}\n` : "the database is up to date\n");
});
