/**
 * Prints where java and the jars of a Kafka broker are, as JSON. The jars come from Maven Central the first time (engine/testing/kafka/pom.xml)
 * and stay in the cache of this checkout. Where java or mvn is missing it says so in one sentence, and the tests of Kafka skip.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { printWhenStarted } from "./lib/install.mjs";

const COPY_MS = 100_000;
const ASK_MS = 10_000;
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const POM = join(root, "engine/testing/kafka/pom.xml");
const JARS = join(root, "node_modules/.cache/onceboard/kafka-4.1.0");

const runs = (program, ...args) => spawnSync(program, args, { stdio: "ignore", timeout: ASK_MS }).status === 0;
const isThere = () => existsSync(JARS) && readdirSync(JARS).some((name) => name.startsWith("kafka_"));

/** @returns {{ java: string, jars: string }} @throws {Error} one sentence when one is missing */
export function findKafka() {
  if (!runs("java", "-version")) throw new Error("The tests of Kafka run a real broker, and there is no java here.");
  if (isThere()) return { java: "java", jars: JARS };
  if (!runs("mvn", "--version"))
    throw new Error("The tests of Kafka run a real broker, and there is no mvn here to get it with.");
  // Two test runs may copy at once: each into a folder of its own, and the first one there stays.
  const part = `${JARS}.${String(process.pid)}`;
  mkdirSync(dirname(JARS), { recursive: true });
  const args = [
    "-q",
    "-B",
    "-f",
    POM,
    "dependency:copy-dependencies",
    "-DincludeScope=runtime",
    `-DoutputDirectory=${part}`,
  ];
  const { status, stdout } = spawnSync("mvn", args, { encoding: "utf8", timeout: COPY_MS });
  if (status !== 0) {
    rmSync(part, { recursive: true, force: true });
    const said = stdout.split("\n").find((line) => line.includes("ERROR")) ?? "";
    throw new Error(`The jars of a Kafka broker could not be copied: ${said.slice(0, 300)}`);
  }
  try {
    renameSync(part, JARS);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!isThere()) throw error;
  }
  return { java: "java", jars: JARS };
}

await printWhenStarted(import.meta.url, findKafka);
