import { createApiKey } from "@/auth/api-keys/api-keys";
import { loadModules } from "@/engine/module/load";
import { readArguments } from "./startup/arguments";
import { loadConfig } from "./startup/load-config";
import { typed } from "./startup/installation";
import { runMain } from "./startup/run-main";
import { withDatabase } from "./startup/with-database";

const USAGE = typed(
  "api-key --tenant acme --name till --scopes payments,admin [--profile problem] [--holder a@b.c] [--data-dir .onceboard]",
);

await runMain(async () => {
  const options = readArguments(process.argv.slice(2), USAGE, {
    needed: ["tenant", "name", "scopes"],
    optional: ["profile", "holder", "data-dir"],
  });
  const { tenant, name, scopes, profile, holder } = options;
  const list = scopes
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  const { key } = await withDatabase(options["data-dir"], async (db, config) => {
    // After the database: somebody without either is told of DATABASE_URL, as by every other command.
    const modules = loadModules(await loadConfig(), config);
    await modules.close();
    const { scopes: knownScopes } = modules;
    return createApiKey(db, { tenant, name, scopes: list, knownScopes, profile, holder, homeRegion: config.region });
  });
  if (holder === undefined && list.includes("admin"))
    process.stderr.write(
      "This key has scope admin and names no holder: nobody can approve a plan that is asked for with it. Name one by --holder a@b.c.\n",
    );
  // The key and nothing else: scripts take it from here.
  process.stdout.write(`${key}\n`);
});
