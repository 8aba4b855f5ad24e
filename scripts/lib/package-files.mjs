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
/** Its README, and what leads on from there; a link to any other document is left out. */
const README = "PACKAGE.md";
const GUIDES = ["ADOPT.md", "ONCE.md", "MODULES.md", "SQL-CONTRACT.md"];
const LINK = /\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

/** SQL that the code reads from disk beside itself, and the documents. @param {string} stage */
export function copyTexts(stage) {
  const sql = sourceFiles("db", (name) => name.endsWith(".sql")).filter((path) => !path.includes("/testing/"));
  const migrations = sourceFiles("drizzle", (name) => name.endsWith(".sql"));
  const template = sourceFiles("cli/template", () => true);
  for (const path of [...sql, ...migrations, ...template]) copy(path, join(stage, "dist", path));
  for (const path of DOCUMENTS) copy(path, join(stage, path));
  mkdirSync(join(stage, "docs"), { recursive: true });
  for (const name of GUIDES) writeFileSync(join(stage, "docs", name), guide(name, ""));
  writeFileSync(join(stage, "README.md"), guide(README, "docs/"));
}

/** @param {string} name below docs/ @param {string} to where the other guides are, seen from where it goes */
function guide(name, to) {
  return readFileSync(join("docs", name), "utf8").replace(LINK, (_link, label, target, anchor = "") =>
    GUIDES.includes(target) ? `[${label}](${to}${target}${anchor})` : label,
  );
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
