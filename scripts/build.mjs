/** Builds the console unless the build at hand is of these sources. `--force` builds anyway. */
import { developmentRoutes, isBuildCurrent, markBuilt, sourceHash } from "./lib/build-state.mjs";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";

if (!process.argv.includes("--force") && isBuildCurrent()) {
  process.stdout.write("the build is current\n");
  process.exit(0);
}

stopChildrenOnSignals();
const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
process.stdout.write("building the console (once; about half a minute) …\n");
const hash = sourceHash();
const tick = setInterval(() => process.stdout.write(`  … ${seconds()} s\n`), 10_000);
const { code, output } = await run(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
  quiet: true,
  env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
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
markBuilt(hash);
process.stdout.write(`built in ${seconds()} s\n`);
