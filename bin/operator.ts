import { createLibrary } from "@/auth/library";
import { upsertOperator } from "@/auth/operators";
import { readArguments } from "./startup/arguments";
import { runMain } from "./startup/run-main";
import { withDatabase } from "./startup/with-database";

const USAGE = "npm run -s operator -- --email a@b.c --password … --role admin [--name Ada]";

await runMain(async () => {
  const request = readArguments(process.argv.slice(2), USAGE, {
    needed: ["email", "password", "role"],
    optional: ["name"],
  });
  const { email, role, created } = await withDatabase((db, { secret, publicUrl }) =>
    upsertOperator(db, { library: createLibrary({ db, secret, publicUrl }) }, request),
  );
  process.stdout.write(`${created ? "created" : "updated"} ${email} (${role})\n`);
});
