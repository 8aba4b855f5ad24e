/** Whatever a comment, a title of a test or a document cites must be in the repository; every rule of docs/SPEC.md has its tests. */
import { existsSync, readFileSync } from "node:fs";
import { crashIdsOf, rulesOf, titlesOf, wrongCitations } from "./lib/citations.mjs";
import { sourceFiles } from "./lib/source-files.mjs";

const SPEC = "docs/SPEC.md";
/** Holds wrong citations on purpose. */
const SAMPLES = "scripts/lib/citations.test.mjs";
const READABLE = /\.(ts|tsx|mjs|cjs|sql|css|md|py|sh|yml)$/;

const problems = [];
const rules = rulesOf(readFileSync(SPEC, "utf8"));
const ids = new Set(rules.map(({ id }) => id));
const titles = (file) => titlesOf(readFileSync(file, "utf8")).map(({ title }) => title);
for (const [index, { id, line, files, untested }] of rules.entries()) {
  const report = (message) => problems.push(`${SPEC}:${line}: ${message}`);
  if (rules.findIndex((rule) => rule.id === id) !== index) report(`${id} stands twice`);
  for (const file of files.filter((path) => !existsSync(path))) report(`${file} does not exist`);
  const cites = new RegExp(`\\b${id}\\b`);
  if (untested) continue;
  if (files.length === 0) report(`${id} names no test; a rule without one says "not tested yet"`);
  else if (!files.some((file) => existsSync(file) && titles(file).some((title) => cites.test(title))))
    report(`none of the tests of ${id} has it in a title`);
}

const known = { rules: ids, crashIds: crashIdsOf(readFileSync("docs/CRASH.md", "utf8")), exists: existsSync };
const files = sourceFiles(".", (name) => READABLE.test(name)).filter((path) => path !== SPEC && path !== SAMPLES);
for (const path of files) {
  for (const { line, message } of wrongCitations(path, readFileSync(path, "utf8"), known)) {
    problems.push(`${path}:${line}: ${message}`);
  }
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`);
  process.exit(1);
}
const untested = rules.filter((rule) => rule.untested).length;
process.stdout.write(
  `${rules.length - untested} rules have their tests, ${untested} have none yet; citations in ${files.length} files resolve\n`,
);
