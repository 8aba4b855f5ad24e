/**
 * Prints where nats-server, rabbitmq-server and Erlang's epmd are, as JSON, and gets them first where they are missing: from
 * Debian's packages. The tests of NATS and RabbitMQ start instances of their own (engine/testing/brokers.ts), on ports and in
 * directories of their own; a service of the system is never touched.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./lib/processes.mjs";

const APT_MS = 100_000;
/** Several test files may come here at once, and another suite may be installing a browser. */
const LOCK_SECONDS = "80";
const PACKAGES = { nats: "nats-server", rabbitmq: "rabbitmq-server" };
/** Debian keeps servers where a user's PATH may not look. */
const SYSTEM_DIRECTORIES = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/usr/bin"];
/** The program itself; the one of the same name in /usr/sbin runs as the system's own user and data only. */
const DEBIAN_RABBITMQ = "/usr/lib/rabbitmq/bin/rabbitmq-server";
/** Erlang's own programs, where epmd is not on PATH. */
const ERLANG_DIRECTORIES = ["/usr/lib/erlang/bin", "/usr/local/lib/erlang/bin"];
const INSTALLED_BY_HAND = {
  nats: "set NATS_SERVER to the nats-server program, or install the package nats-server",
  rabbitmq: "set RABBITMQ_SERVER to the rabbitmq-server program, or install the package rabbitmq-server",
};

function candidates(name, more = []) {
  const directories = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...SYSTEM_DIRECTORIES];
  return [...more, ...directories.map((directory) => join(directory, name))];
}

function look() {
  const named = (variable) => (process.env[variable] ? [process.env[variable]] : []);
  const first = (paths) => paths.find((path) => existsSync(path));
  const epmd = first(
    candidates(
      "epmd",
      ERLANG_DIRECTORIES.map((directory) => join(directory, "epmd")),
    ),
  );
  const rabbitmq = first(candidates("rabbitmq-server", [...named("RABBITMQ_SERVER"), DEBIAN_RABBITMQ]));
  return {
    nats: first(candidates("nats-server", named("NATS_SERVER"))),
    rabbitmq: epmd === undefined ? undefined : rabbitmq,
    epmd,
  };
}

const missingOf = (found) => Object.keys(PACKAGES).filter((name) => found[name] === undefined);

function mayInstall() {
  return process.getuid?.() === 0 && candidates("apt-get").some((path) => existsSync(path));
}

async function install(packages) {
  process.stderr.write(`installing Debian's ${packages.join(" and ")} …\n`);
  // The run level of a machine under repair: Debian's invoke-rc.d then starts no service for a package it installs.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const options = { quiet: true, env, timeoutMs: APT_MS };
  const wait = ["-o", `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  await run("apt-get", [...wait, "update"], options);
  const args = [...wait, "install", "-y", "--no-install-recommends", ...packages];
  const { code, output } = await run("apt-get", args, options);
  if (code !== 0) process.stderr.write(`${output.trim().split("\n").slice(-3).join("\n")}\n`);
}

/** @returns {Promise<{ nats: string, rabbitmq: string, epmd: string }>} @throws {Error} one sentence when one is missing and cannot be had */
export async function findBrokers() {
  let found = look();
  let missing = missingOf(found);
  if (missing.length > 0 && mayInstall()) {
    await install(missing.map((name) => PACKAGES[name]));
    found = look();
    missing = missingOf(found);
  }
  if (missing.length > 0) {
    const advice = missing.map((name) => INSTALLED_BY_HAND[name]).join("; ");
    throw new Error(
      `The tests of NATS and RabbitMQ use real servers, and not all are here or could be installed: ${advice}.`,
    );
  }
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    process.stdout.write(`${JSON.stringify(await findBrokers())}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
