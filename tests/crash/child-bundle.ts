import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");
/** CommonJS packages of the bundle ask for Node's own modules by `require`. */
const BANNER = 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';
let built: string | undefined;

/**
 * Makes one file of the child and all that it imports. The suite starts thousands of children, and reading hundreds of modules
 * takes a start longer than most runs; the code that runs is the same.
 *
 * @returns the file, which is gone when this process is
 */
export function childBundle(): string {
  if (built !== undefined) return built;
  const outfile = join(ROOT, `node_modules/.cache/onceboard/crash-child-${String(process.pid)}.mjs`);
  buildSync({
    absWorkingDir: ROOT,
    entryPoints: ["tests/crash/child/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // An optional part of pg that nobody installs.
    external: ["pg-native"],
    banner: { js: BANNER },
    logLevel: "error",
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return (built = outfile);
}
