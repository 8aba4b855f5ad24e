import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUILT, ROOT } from "./installation";

const TEMPLATE = join(ROOT, "cli/template");
const MODULES = ["onceboard.config", "orders"] as const;
const MIGRATION = "migrations/0001_orders.sql";
/** What `npm run` calls the commands of a deployment. */
const SCRIPTS = {
  start: "onceboard start",
  migrate: "onceboard migrate",
  serve: "onceboard serve",
  worker: "onceboard worker",
} as const;

/** How modules are written here: `.mts` where Node itself reads types, else `.mjs`; both are modules whatever package.json says. */
type Ending = "mts" | "mjs";

/**
 * Writes the files of a new deployment: its configuration, an example operation with its table, and package scripts.
 *
 * @param folder where; nothing is written when one of the files is there already
 * @returns what was done and what to do next, line by line
 * @throws Error in one sentence
 */
export function writeProject(folder: string, ending: Ending = readsTypes() ? "mts" : "mjs"): string[] {
  const files = new Map<string, string>([
    ...MODULES.map((name) => [`${name}.${ending}`, moduleText(name, ending)] as const),
    [MIGRATION, readFileSync(join(TEMPLATE, MIGRATION), "utf8")],
  ]);
  const present = [...files.keys()].find((name) => existsSync(join(folder, name)));
  if (present !== undefined) throw new Error(`${present} is there already: nothing was written.`);
  const manifest = withScripts(readManifest(folder));
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return [...[...files.keys()].map((name) => `wrote ${name}`), "wrote scripts into package.json", ...NEXT_STEPS];
}

const NEXT_STEPS = [
  "",
  "Next, in this directory:",
  "",
  "  npx onceboard start        the console on http://localhost:3000, with a database of its own in .onceboard",
  "",
  "and, while it runs, in another terminal:",
  "",
  "  npx onceboard operator --data-dir .onceboard --email you@example.com --password … --role admin",
  "  KEY=$(npx onceboard api-key --data-dir .onceboard --tenant acme --name shop --scopes orders)",
  "  curl -i localhost:3000/api/v1/orders -H \"Authorization: Bearer $KEY\" -H 'Idempotency-Key: order-1' \\",
  '    -H \'Content-Type: application/json\' -d \'{"item":"lamp","quantity":2}\'',
  "",
  "Send the last one again: the same answer comes back, and there is one order.",
];

/** Node 22.18 and 24 take the types out of a file by themselves. */
function readsTypes(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

/** The package has each module of the template twice: as it was written, and without its types. */
function moduleText(name: string, ending: Ending): string {
  const typed = ending === "mts" || !BUILT;
  const text = readFileSync(join(TEMPLATE, `${name}.${typed ? "ts" : "js"}`), "utf8");
  return text.replace(/"(\.\/[a-z.]+?)(?:\.js)?";/g, `"$1.${ending}";`).replace(/^\/\/# sourceMappingURL=.*\n?/m, "");
}

function readManifest(folder: string): Record<string, unknown> {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return { private: true };
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (typeof manifest === "object" && manifest !== null) return { ...manifest };
  throw new Error("package.json holds no object: nothing was written.");
}

/** Scripts of the same names are left as they are. */
function withScripts(manifest: Record<string, unknown>): Record<string, unknown> {
  const { scripts } = manifest;
  return { ...manifest, scripts: { ...SCRIPTS, ...(typeof scripts === "object" && scripts) } };
}
