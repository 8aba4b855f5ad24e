/** Runs the layer rules over every TypeScript file, and fails when a file was not looked at: a green result can be empty. */
import { spawnSync } from "node:child_process";
import { isTypeScript, sourceFiles } from "./lib/source-files.mjs";

const MAX_REPORT_BYTES = 256 * 1024 * 1024;

const files = sourceFiles(".", isTypeScript);
const run = spawnSync(
  process.execPath,
  [
    "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "json",
    ...files,
  ],
  { encoding: "utf8", maxBuffer: MAX_REPORT_BYTES },
);
if (!run.stdout) {
  process.stderr.write(`The layer check did not run: ${run.stderr || run.error?.message}\n`);
  process.exit(1);
}

const report = JSON.parse(run.stdout);
const cruised = new Set(report.modules.map((module) => module.source));
const unseen = files.filter((file) => !cruised.has(file));
for (const { rule, from, to, via } of report.summary.violations) {
  const chain = (via ?? []).map((step) => step.name).join(" → ");
  process.stderr.write(`${rule.name}: ${from} → ${to}${chain ? ` (by ${chain})` : ""}\n`);
}
if (unseen.length > 0) {
  process.stderr.write(`${unseen.length} of ${files.length} files were not cruised, first: ${unseen[0]}\n`);
}
if (report.summary.violations.length > 0 || unseen.length > 0) process.exit(1);
process.stdout.write(
  `layers hold over ${files.length} files, ${report.summary.totalDependenciesCruised} dependencies\n`,
);
