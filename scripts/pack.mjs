/**
 * Makes the npm package: built JavaScript, types, source maps, SQL and the built console in `.package/`, then the tarball beside
 * them. Fails when the tarball is too large, or when a path of this machine, a test or a leftover alias is in it.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyConsole, copyTexts } from "./lib/package-files.mjs";
import { entriesOf, manifestOf, packagesOf, problemsOf } from "./lib/package-manifest.mjs";
import { keepReached } from "./lib/package-reach.mjs";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";

const MAX_BYTES = 15_000_000;
const STAGE = ".package";
const DIST = join(STAGE, "dist");
/** What `onceboard init` writes: as it stands for who has types, built for who has none. */
const TEMPLATE = "cli/template/onceboard.config.ts";
/** The build in which a path of no deployment stands for any (scripts/build.mjs). */
const ANY_BASE_PATH = ".next-base";
const own = JSON.parse(readFileSync("package.json", "utf8"));

/**
 * @param {string} what for people @param {string} command @param {string[]} args
 * @param {Record<string, string>} [env] beside our own @returns {Promise<string>} its output
 */
async function step(what, command, args, env = {}) {
  process.stdout.write(`${what} …\n`);
  const { code, output } = await run(command, args, { quiet: true, env: { ...process.env, ...env } });
  if (process.exitCode) process.exit();
  if (code === 0) return output;
  process.stderr.write(`${output.trim()}\nThe package was not made.\n`);
  process.exit(1);
}

/** A project of the compiler: what its entries reach is built. @param {string} name @param {string[]} files @param {object} options */
function writeProject(name, files, options) {
  const path = `tsconfig.${name}.json`;
  const compilerOptions = { noEmit: false, incremental: false, rootDir: "..", outDir: "dist", plugins: [], ...options };
  const project = {
    extends: "../tsconfig.json",
    compilerOptions,
    include: [],
    files: files.map((file) => `../${file}`),
  };
  writeFileSync(
    join(STAGE, path),
    JSON.stringify({ ...project, compilerOptions: { ...compilerOptions, paths: { "@/*": ["../*"] } } }),
  );
  return join(STAGE, path);
}

const bin = (name) => join("node_modules", ".bin", name);

stopChildrenOnSignals();
rmSync(STAGE, { recursive: true, force: true });
mkdirSync(DIST, { recursive: true });
const entries = entriesOf();
const sources = entries.map(({ source }) => source);
const started = ["cli/onceboard.ts", TEMPLATE, "next.config.ts", ...sources];
// `npm run verify` checks the types of everything.
const code = writeProject("code", started, { sourceMap: true, inlineSources: true, noCheck: true });
const types = writeProject("types", sources, { declaration: true, emitDeclarationOnly: true });
await step("building JavaScript", bin("tsc"), ["-p", code]);
await step("writing types", bin("tsc"), ["-p", types]);
for (const project of [code, types])
  await step("resolving imports", bin("tsc-alias"), ["-p", project, "--resolve-full-paths"]);
keepReached(
  DIST,
  started.map((path) => path.replace(/\.ts$/, ".js")),
);
await step("the console", process.execPath, ["scripts/build.mjs"], { BASE_PATH: "" });
await step("the console for a base path", process.execPath, ["scripts/build.mjs", "--any-base-path"]);
copyTexts(STAGE);
copyConsole(process.env.NEXT_DIST_DIR ?? ".next", join(DIST, ".next"));
copyConsole(ANY_BASE_PATH, join(DIST, ANY_BASE_PATH));
const manifest = manifestOf(own, entries, packagesOf(DIST));
writeFileSync(join(STAGE, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
const problems = problemsOf(STAGE);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);

const output = await step("packing", "npm", ["pack", `./${STAGE}`, "--pack-destination", STAGE, "--silent"]);
const tarball = join(STAGE, output.trim().split("\n").at(-1) ?? "");
const { size } = statSync(tarball);
process.stdout.write(`${tarball}: ${(size / 1_000_000).toFixed(1)} MB of at most ${MAX_BYTES / 1_000_000}\n`);
if (size > MAX_BYTES) {
  process.stderr.write("The package is too large.\n");
  process.exit(1);
}
