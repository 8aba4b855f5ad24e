/**
 * Prints where nats-server, rabbitmq-server and Erlang's epmd are, as JSON, and gets them first where they are missing: from
 * Debian's packages. The tests of NATS and RabbitMQ start instances of their own (engine/testing/brokers.ts), on ports and in
 * directories of their own; a service of the system is never touched.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installPackages, mayInstall, pathDirectories, printWhenStarted } from "./lib/install.mjs";

const APT_MS = 100_000;
const PACKAGES = { nats: "nats-server", rabbitmq: "rabbitmq-server" };
/** Debian keeps servers where a user's PATH may not look. */
const SYSTEM_DIRECTORIES = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/usr/bin"];
/** The program itself; the one of the same name in /usr/sbin runs as the system's own user and data only. */
const DEBIAN_RABBITMQ = "/usr/lib/rabbitmq/bin/rabbitmq-server";
/** Erlang's own programs, where epmd is not on PATH. */
const ERLANG_EPMD = ["/usr/lib/erlang/bin/epmd", "/usr/local/lib/erlang/bin/epmd"];

function candidates(name, more = []) {
  const directories = [...pathDirectories(), ...SYSTEM_DIRECTORIES];
  return [...more, ...directories.map((directory) => join(directory, name))];
}

function look() {
  const named = (variable) => (process.env[variable] ? [process.env[variable]] : []);
  const first = (paths) => paths.find((path) => existsSync(path));
  const epmd = first(candidates("epmd", ERLANG_EPMD));
  const rabbitmq = first(candidates("rabbitmq-server", [...named("RABBITMQ_SERVER"), DEBIAN_RABBITMQ]));
  return {
    nats: first(candidates("nats-server", named("NATS_SERVER"))),
    rabbitmq: epmd === undefined ? undefined : rabbitmq,
    epmd,
  };
}

const missingOf = (found) => Object.keys(PACKAGES).filter((name) => found[name] === undefined);

/** @returns {Promise<{ nats: string, rabbitmq: string, epmd: string }>} @throws {Error} one sentence when one is missing and cannot be had */
export async function findBrokers() {
  let found = look();
  let missing = missingOf(found);
  if (missing.length > 0 && mayInstall()) {
    await installPackages(
      missing.map((name) => PACKAGES[name]),
      APT_MS,
    );
    found = look();
    missing = missingOf(found);
  }
  if (missing.length > 0) {
    const advice = missing
      .map((name) => [`${name.toUpperCase()}_SERVER`, PACKAGES[name]])
      .map(([variable, program]) => `set ${variable} to the ${program} program, or install the package ${program}`)
      .join("; ");
    throw new Error(
      `The tests of NATS and RabbitMQ use real servers, and not all are here or could be installed: ${advice}.`,
    );
  }
  return found;
}

await printWhenStarted(import.meta.url, findBrokers);
