/** What is in the npm package beside JavaScript and types: SQL, documents, the built console. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { sourceFiles } from "./source-files.mjs";

/** A build's own records: caches, what it traced, types, maps of code that people do not read there. */
const LEFT_OUT = /^(cache|node_modules|types|diagnostics|dev|turbopack|trace|trace-build)$|\.(nft\.json|js\.map)$/;
/** Beside the manifest. */
const DOCUMENTS = ["LICENSE", "CHANGELOG.md"];

/** SQL that the code reads from disk beside itself, and the documents. @param {string} stage */
export function copyTexts(stage) {
  const sql = sourceFiles("db", (name) => name.endsWith(".sql")).filter((path) => !path.includes("/testing/"));
  const migrations = sourceFiles("drizzle", (name) => name.endsWith(".sql"));
  const template = sourceFiles("cli/template", () => true);
  for (const path of [...sql, ...migrations, ...template]) copy(path, join(stage, "dist", path));
  for (const path of DOCUMENTS) copy(path, join(stage, path));
  copy("docs/PACKAGE.md", join(stage, "README.md"));
}

/**
 * The console as Next built it. A build names packages that are not bundled by links in a `node_modules` of its own, which npm
 * leaves out of every package; the copy names the packages themselves. Nor does it say where it was built.
 *
 * @param {string} from @param {string} to
 */
export function copyConsole(from, to) {
  const outside = externalsOf(from);
  cpSync(from, to, { recursive: true, filter: (path) => path === from || !LEFT_OUT.test(basename(path)) });
  for (const path of filesBelow(to)) {
    if (!/\.(js|json)$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    const named = [...outside].reduce((all, [alias, name]) => all.replaceAll(alias, name), text);
    const moved = named.replaceAll(process.cwd(), ".");
    if (moved !== text) writeFileSync(path, moved);
  }
}

/** @returns {Map<string, string>} from the name that the build gave a package to the package's own name */
function externalsOf(build) {
  const links = join(build, "node_modules");
  const found = new Map();
  if (!existsSync(links)) return found;
  for (const path of filesBelow(links)) {
    if (lstatSync(path).isSymbolicLink())
      found.set(relative(links, path), readlinkSync(path).split("node_modules/").at(-1));
  }
  return found;
}

/** @param {string} directory @returns {string[]} files and links, hidden ones too */
export function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
