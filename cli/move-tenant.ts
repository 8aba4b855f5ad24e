import { createDatabase, type Database } from "@/db/client";
import { forgetTenant, moveTenant, takeBack } from "@/engine/move/move-tenant";
import { readArguments } from "./startup/arguments";
import { openForCommand } from "./startup/open-environment";
import { reachDatabase } from "./startup/reach-database";
import { runMain } from "./startup/run-main";
import { typed } from "./startup/installation";

const USAGE = typed("move-tenant --tenant acme --to eu-west [--schemas orders,stock] [--take-back yes | --forget yes]");
const REGION = /^[a-z0-9][a-z0-9-]{0,62}$/;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;
/** What a former stay left in a table is deleted by one statement. */
const STATEMENT_TIMEOUT_MS = 4 * 3_600_000;

/** Moves a tenant from the database of DATABASE_URL to that of TARGET_DATABASE_URL (docs/runbooks/move-tenant.md). */
await runMain(async () => {
  const options = readArguments(process.argv.slice(2), USAGE, {
    needed: ["tenant", "to"],
    optional: ["schemas", "take-back", "forget"],
  });
  const { tenant, to } = options;
  if (!REGION.test(to)) throw new Error(`--to is the name of a region, such as eu-west. Usage: ${USAGE}`);
  const schemas = (options.schemas ?? "").split(",").filter((name) => name !== "");
  if (!schemas.every((name) => SCHEMA.test(name))) throw new Error(`--schemas are names with commas. Usage: ${USAGE}`);
  const back = options["take-back"];
  const { forget } = options;
  if (
    [back, forget].some((said) => said !== undefined && said !== "yes") ||
    (back !== undefined && forget !== undefined)
  )
    throw new Error(`--take-back or --forget is yes, or left out. Usage: ${USAGE}`);
  const targetUrl = process.env["TARGET_DATABASE_URL"] ?? "";
  if (targetUrl === "")
    throw new Error("TARGET_DATABASE_URL is missing: the database of the other region, as the owner of its tables.");
  const environment = await openForCommand(process.env, undefined);
  try {
    const { config, ownerUrl } = environment;
    await reachDatabase(targetUrl);
    const [source, target] = [open(ownerUrl), open(targetUrl)];
    try {
      const say = (line: string): void => void process.stdout.write(`${line}\n`);
      const move = { tenant, from: config.region, to, schemas, say };
      if (back === "yes") {
        await takeBack({ source, target }, move);
        say(`${tenant} is open in ${config.region} again`);
        return;
      }
      if (forget === "yes") {
        say(`${String(await forgetTenant({ source, target }, move))} rows were deleted`);
        return;
      }
      const rows = await moveTenant({ source, target }, move);
      if (rows === undefined) say(`${tenant} is in ${to} already`);
      for (const [table, count] of rows ?? []) if (count > 0) say(`${String(count).padStart(12)}  ${table}`);
    } finally {
      await source.close();
      await target.close();
    }
  } finally {
    await environment.close();
  }
});

function open(url: string): Database {
  const options = { max: 3, role: "owner", statementTimeoutMs: STATEMENT_TIMEOUT_MS } as const;
  return createDatabase({ url, applicationName: "onceboard move-tenant", ...options });
}
