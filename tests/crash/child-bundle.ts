import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");
let built: string | undefined;

/**
 * Makes one CommonJS file of the child and all that it imports, for child/start.mjs. The suite starts thousands of children, and
 * reading hundreds of modules takes a start longer than most runs; the code that runs is the same.
 *
 * @returns the file, which is gone when this process is
 */
export function childBundle(): string {
  if (built !== undefined) return built;
  const outfile = join(ROOT, `node_modules/.cache/onceboard/crash-child-${String(process.pid)}.cjs`);
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: ["tests/crash/child/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    // `import()` becomes `require()`: code from V8's cache has no loader of modules.
    supported: { "dynamic-import": false },
    // An optional part of pg that nobody installs.
    external: ["pg-native"],
    define: { "import.meta.url": "importMetaUrl", "import.meta.dirname": "__dirname" },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
    logLevel: "error",
  });
  process.once("exit", () => {
    for (const file of [outfile, `${outfile}.v8`]) rmSync(file, { force: true });
  });
  return (built = outfile);
}
