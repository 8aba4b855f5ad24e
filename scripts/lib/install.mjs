/** Debian's packages, for programs that tests need and that are not there. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./processes.mjs";

/** Several test files may install at once, and another suite beside them. */
const LOCK_SECONDS = "80";

export const pathDirectories = () => (process.env.PATH ?? "").split(delimiter).filter(Boolean);

const hasAptGet = () => pathDirectories().some((directory) => existsSync(join(directory, "apt-get")));

export function mayInstall(isRoot = process.getuid?.() === 0, hasApt = hasAptGet()) {
  return isRoot && hasApt;
}

/** @param {string[]} packages @param {number} timeoutMs of each of the two steps */
export async function installPackages(packages, timeoutMs) {
  process.stderr.write(`installing Debian's ${packages.join(" and ")} …\n`);
  // The run level of a machine under repair: Debian's invoke-rc.d then starts no service for a package it installs.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const options = { quiet: true, env, timeoutMs };
  const wait = ["-o", `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  await run("apt-get", [...wait, "update"], options);
  const args = [...wait, "install", "-y", "--no-install-recommends", ...packages];
  const { code, output } = await run("apt-get", args, options);
  if (code !== 0) process.stderr.write(`${output.trim().split("\n").slice(-3).join("\n")}\n`);
}

/** A script that is started by itself prints what it finds, or why it does not. @param {string} url of the script */
export async function printWhenStarted(url, find) {
  if (url !== pathToFileURL(process.argv[1] ?? "").href) return;
  try {
    const found = await find();
    process.stdout.write(`${typeof found === "string" ? found : JSON.stringify(found)}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
