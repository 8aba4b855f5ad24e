import { createLibrary } from "@/auth/sign-in/library";
import { removeSecondFactor, upsertOperator } from "@/auth/operators";
import { readArguments } from "./startup/arguments";
import { typed } from "./startup/installation";
import { runMain } from "./startup/run-main";
import { withDatabase } from "./startup/with-database";

const USAGE = typed(
  "operator --email a@b.c --password … --role admin [--tenant acme] [--name Ada] [--data-dir .onceboard]",
);
const RESET = "reset-totp";

await runMain(() => {
  const [command, email, ...rest] = process.argv.slice(2);
  if (command !== RESET) return store();
  const usage = typed(`operator ${RESET} a@b.c [--data-dir .onceboard]`);
  if (email === undefined || email.startsWith("--")) throw new Error(`Usage: ${usage}`);
  return reset(email, readArguments(rest, usage, { needed: [], optional: ["data-dir"] })["data-dir"]);
});

async function store(): Promise<void> {
  const { "data-dir": dataDir, ...request } = readArguments(process.argv.slice(2), USAGE, {
    needed: ["email", "password", "role"],
    optional: ["tenant", "name", "data-dir"],
  });
  const { tenant } = request;
  const { email, role, created } = await withDatabase(dataDir, (db, { secret, publicUrl }) =>
    upsertOperator(db, { library: createLibrary({ db, secret, publicUrl }) }, request),
  );
  process.stdout.write(
    `${created ? "created" : "updated"} ${email} (${tenant === undefined ? role : `${role} in ${tenant}`})\n`,
  );
}

/** The way back for somebody who lost the authenticator and every backup code, when no admin can be asked. */
async function reset(email: string, dataDir: string | undefined): Promise<void> {
  const removed = await withDatabase(dataDir, (db) => removeSecondFactor(db, email));
  if (removed === undefined) throw new Error(`There is no operator ${email}.`);
  process.stdout.write(
    removed ? `second factor of ${email} is off, sessions ended\n` : `${email} has no second factor\n`,
  );
}
