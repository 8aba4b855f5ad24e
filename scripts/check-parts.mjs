/** Fails when a component that decides something has no sample on the page of parts. */
import { readFileSync } from "node:fs";
import { unshownComponents } from "./lib/parts.mjs";
import { isTypeScript, sourceFiles } from "./lib/source-files.mjs";

const LIST = "scripts/parts-without-samples.json";
const { exceptions, missing } = JSON.parse(readFileSync(LIST, "utf8"));
const paths = sourceFiles("components", (name) => isTypeScript(name) && !/\.test\.tsx?$/.test(name));
const unshown = unshownComponents(
  paths.map((path) => ({ path, text: readFileSync(path, "utf8") })),
  "AREAS",
);
const listed = [...Object.keys(exceptions), ...missing];
const problems = [
  ...unshown.filter((name) => !listed.includes(name)).map((name) => `${name} decides something and no sample shows it`),
  ...listed.filter((name) => !unshown.includes(name)).map((name) => `${name} needs no place in ${LIST}`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write(
  `every component that decides something has a sample, but for ${String(missing.length)} that are listed\n`,
);
