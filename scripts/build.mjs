/**
 * Builds the console for BASE_PATH unless the build at hand is of these sources and this path. `--force` builds anyway;
 * `--any-base-path` builds `.next-base`, in which a path of no deployment stands for any (cli/startup/console-build.ts).
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { developmentRoutes, isBuildCurrent, markBuilt, sourceHash } from "./lib/build-state.mjs";
import { sourceFiles } from "./lib/source-files.mjs";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";

/** Stands nowhere else in a build. */
const STAND_IN = "/the-base-path-of-this-deployment";

if (process.argv.includes("--any-base-path"))
  Object.assign(process.env, { BASE_PATH: STAND_IN, NEXT_DIST_DIR: ".next-base" });
if (!process.argv.includes("--force") && isBuildCurrent()) {
  process.stdout.write("the build is current\n");
  process.exit(0);
}

/** A minifier may write down what it computed of a text: `slice("/ab".length)` as `slice(3)`. @param {string} build */
function knowsLength(build) {
  const counted = new RegExp(`\\b(?:slice|substring|substr)\\(${STAND_IN.length}\\b`);
  return ["static", "server"]
    .flatMap((part) => sourceFiles(join(build, part), (name) => name.endsWith(".js")))
    .some((path) => counted.test(readFileSync(path, "utf8")));
}

stopChildrenOnSignals();
const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
process.stdout.write("building the console (once; about half a minute) …\n");
const hash = sourceHash();
const tick = setInterval(() => process.stdout.write(`  … ${seconds()} s\n`), 10_000);
const { code, output } = await run(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
  quiet: true,
  env: {
    ...process.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Who builds a second time will build again: the cache more than halves each build after that.
    BUILD_CACHE: String(existsSync(join(process.env.NEXT_DIST_DIR ?? ".next", "BUILD_ID"))),
  },
});
clearInterval(tick);
// Interrupted: the one who did that knows.
if (process.exitCode) process.exit();
if (code !== 0) {
  process.stderr.write(`${output.trim()}\nThe console could not be built, see above.\n`);
  process.exit(1);
}
const development = developmentRoutes();
if (development.length > 0) {
  process.stderr.write(`The build has pages of the development server: ${development.join(", ")}\n`);
  process.exit(1);
}
if (process.env.BASE_PATH === STAND_IN && knowsLength(process.env.NEXT_DIST_DIR)) {
  process.stderr.write("The build has the length of the stand-in in its code: no other base path would fit.\n");
  process.exit(1);
}
markBuilt(hash);
process.stdout.write(`built in ${seconds()} s\n`);
