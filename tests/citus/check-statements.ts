/**
 * Fails for a statement on the way of a request or a message that does not name one tenant: on a distributed database it would be sent to
 * every node. Looks at every function of db/ that is called for one tenant, and at every statement that db/ sends by a name.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFunctions } from "@/db/apply-functions";
import { EXCEPTIONS } from "./exceptions";
import { namedStatementsIn, statementsOf, tablesOfAllTenants, type NamedStatement } from "./statements";

const tables = new Set(
  [...readFileSync("drizzle/manifest.txt", "utf8").matchAll(/^table (\w+)/gm)].map(([, name = ""]) => name),
);

function sent(): NamedStatement[] {
  return readdirSync("db", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing/"))
    .flatMap((path) => namedStatementsIn(readFileSync(join("db", path), "utf8")));
}

const statements = [...readFunctions().flatMap(statementsOf), ...sent()];
const found = new Map<string, Set<string>>();
for (const { name, text, ofOne } of statements) {
  const reached = tablesOfAllTenants(text, tables, ofOne);
  if (reached.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...reached]));
}
const problems = [
  ...[...found]
    .filter(([name]) => EXCEPTIONS[name] === undefined)
    .map(([name, reached]) => `${name} reaches ${[...reached].join(", ")} of all tenants`),
  ...Object.keys(EXCEPTIONS)
    .filter((name) => !found.has(name))
    .map((name) => `${name} names one tenant: it needs no place in tests/citus/exceptions.ts`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write(
  `${String(statements.length)} statements name one tenant, but for ${String(found.size)} functions and names that are listed\n`,
);
