import { migrate } from "@/db/migrate";
import { openEnvironment } from "./startup/open-environment";
import { reachDatabase } from "./startup/reach-database";
import { runMain } from "./startup/run-main";

await runMain(async () => {
  const environment = await openEnvironment(process.env);
  try {
    await reachDatabase(environment.config.databaseUrl);
    const { applied } = await migrate(environment.config.databaseUrl);
    process.stdout.write(applied.length > 0 ? `applied: ${applied.join(", ")}\n` : "the database is up to date\n");
  } finally {
    await environment.close();
  }
});
