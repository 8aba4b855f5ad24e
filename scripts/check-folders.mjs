/** Fails for a folder with too many files, a top folder without a README, and too many small files with one importer. */
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { crowdedFolders, MAX_FILES, MAX_SMALL_FILES, SMALL_LINES, smallFiles } from "./lib/folders.mjs";
import { isTypeScript, sourceFiles, topFolders } from "./lib/source-files.mjs";

/** Folders whose files are not ours to arrange: Next's routes are folders by rule, drizzle-kit numbers its own. */
const MADE_BY_TOOLS = /^drizzle\//;
/** Not `import("…")`: what is loaded late is a file of its own for that reason. */
const SPECIFIER = /(?:from|import)\s*"((?:@\/|\.\.?\/)[^"]+)"/g;

const files = sourceFiles(".", () => true);
const known = new Set(files);

function resolve(from, specifier) {
  const base = specifier.startsWith("@/")
    ? specifier.slice(2)
    : posix.normalize(posix.join(posix.dirname(from), specifier));
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((path) => known.has(path));
}

const modules = new Map(
  files.filter(isTypeScript).map((path) => {
    const text = readFileSync(path, "utf8");
    return [path, { path, text, lines: text.split("\n").length - 1, importers: [] }];
  }),
);
for (const { path, text } of modules.values()) {
  const targets = new Set([...text.matchAll(SPECIFIER)].map(([, specifier]) => resolve(path, specifier)));
  for (const target of targets) modules.get(target)?.importers.push(path);
}

const problems = crowdedFolders(files.filter((path) => !MADE_BY_TOOLS.test(path))).map(
  ({ folder, files: count }) =>
    `${folder} shows ${String(count)} files; at most ${String(MAX_FILES)}: split it by concept`,
);
for (const folder of topFolders().filter((name) => !name.startsWith("."))) {
  if (!existsSync(`${folder}/README.md`)) problems.push(`${folder}/ has no README.md`);
}
const small = smallFiles([...modules.values()]);
if (small.length > MAX_SMALL_FILES) {
  problems.push(
    `${String(small.length)} files under ${String(SMALL_LINES)} lines have one importer; at most ${String(MAX_SMALL_FILES)}. Merge into the importer:`,
    ...small.map((path) => `  ${path}`),
  );
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
process.stdout.write(`${String(files.length)} files in place, ${String(small.length)} small ones with one importer\n`);
