/** A path of this repository that a document names must exist, so that a newcomer never looks for a file that moved. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { pathsNamedIn } from "./lib/doc-paths.mjs";
import { sourceFiles } from "./lib/source-files.mjs";

const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter((path) => existsSync(path)),
  ...(existsSync("docs") ? sourceFiles("docs", (name) => name.endsWith(".md")) : []),
];

let missing = 0;
let named = 0;
for (const document of documents) {
  for (const { path, line, relative } of pathsNamedIn(readFileSync(document, "utf8"))) {
    named += 1;
    const candidates = relative ? [normalize(join(dirname(document), path))] : [path, `${path}.ts`, `${path}.tsx`];
    if (candidates.some((candidate) => existsSync(candidate))) continue;
    missing += 1;
    process.stderr.write(`${document}:${line}: ${path} does not exist\n`);
  }
}
if (missing > 0) process.exit(1);
process.stdout.write(`${named} paths in ${documents.length} documents exist\n`);
