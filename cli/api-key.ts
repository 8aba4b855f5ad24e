import { createApiKey } from "@/auth/api-keys/api-keys";
import { loadModules } from "@/engine/module/load";
import { readArguments } from "./startup/arguments";
import { loadConfig } from "./startup/load-config";
import { typed } from "./startup/installation";
import { runMain } from "./startup/run-main";
import { withDatabase } from "./startup/with-database";

const USAGE = typed(
  "api-key --tenant acme --name till --scopes payments,admin [--profile problem] [--data-dir .onceboard]",
);

await runMain(async () => {
  const options = readArguments(process.argv.slice(2), USAGE, {
    needed: ["tenant", "name", "scopes"],
    optional: ["profile", "data-dir"],
  });
  const { tenant, name, scopes, profile } = options;
  const list = scopes
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  const { key } = await withDatabase(options["data-dir"], async (db, config) => {
    // After the database: somebody without either is told of DATABASE_URL, as by every other command.
    const modules = loadModules(await loadConfig(), config);
    await modules.close();
    const { scopes: knownScopes } = modules;
    return createApiKey(db, { tenant, name, scopes: list, knownScopes, profile, homeRegion: config.region });
  });
  // The key and nothing else: scripts take it from here.
  process.stdout.write(`${key}\n`);
});
