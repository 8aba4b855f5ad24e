import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runBroker, type TestBroker } from "../brokers";
import { freePort, openBrokerDirectory, startProgram, untilUp, type Program } from "../broker-process";

const FOUND_WITHIN_MS = 110_000;
/** Of a cluster that is never joined by another broker. */
const CLUSTER_ID = "kz0y3VBBQGaDTYLp3HWC1g";
/** Small and quick to start: it carries some hundred messages. */
const JVM = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

export interface KafkaPrograms {
  readonly java: string;
  readonly jars: string;
}

/** @returns why there is no Kafka broker here, as a sentence, or where it is */
export function findKafka(): KafkaPrograms | string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/find-kafka.mjs"], {
    encoding: "utf8",
    timeout: FOUND_WITHIN_MS,
  });
  return status === 0
    ? (JSON.parse(stdout) as KafkaPrograms)
    : (stderr.trim().split("\n").at(-1) ?? "Kafka could not be looked for.");
}

export interface KafkaBrokerOptions {
  /** Lines of its configuration beside, or in place of, what a test always has. */
  readonly config?: Readonly<Record<string, string>>;
  /** `listener` of its clients: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL. */
  readonly protocol?: "PLAINTEXT" | "SSL" | "SASL_PLAINTEXT" | "SASL_SSL";
  /** Lines for StorageTool, such as users of SCRAM. */
  readonly format?: readonly string[];
}

/** A broker and its controller in one process (KRaft), on a port and in a directory of its own. Takes some seconds. */
export async function startKafka(programs: KafkaPrograms, options: KafkaBrokerOptions = {}): Promise<TestBroker> {
  const place = openBrokerDirectory("kafka");
  const [port, internal, controller] = [await freePort(), await freePort(), await freePort()];
  const file = join(place.directory, "server.properties");
  const settings = settingsOf(place.directory, { port, internal, controller }, options);
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  const start = (main: string, ...args: readonly string[]): Program =>
    startProgram(programs.java, [...JVM, "-cp", join(programs.jars, "*"), main, ...args], { cwd: place.directory });
  const format = ["format", "-t", CLUSTER_ID, "-c", file, "--standalone", ...(options.format ?? [])];
  const formatting = start("kafka.tools.StorageTool", ...format);
  await formatting.ended;
  if (formatting.code() !== 0) throw new Error(`Kafka's storage could not be made: ${formatting.output()}`);
  const begin = async (): Promise<Program> => {
    const program = start("kafka.Kafka", file);
    place.holds(program.pid);
    // The listener of clients may want TLS first.
    await untilUp(program, internal, API_VERSIONS);
    return program;
  };
  return runBroker(`kafka://127.0.0.1:${String(port)}`, port, place, await begin(), begin);
}

/** What a client says first: which versions of requests are there (ApiVersions v0, correlation 1, no client id). */
const API_VERSIONS = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

function settingsOf(
  directory: string,
  { port, internal, controller }: Readonly<Record<"port" | "internal" | "controller", number>>,
  { config, protocol = "PLAINTEXT" }: KafkaBrokerOptions,
): Readonly<Record<string, string>> {
  const own = `CLIENT://127.0.0.1:${String(port)},INTERNAL://127.0.0.1:${String(internal)}`;
  return {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.bootstrap.servers": `127.0.0.1:${String(controller)}`,
    listeners: `${own},CONTROLLER://127.0.0.1:${String(controller)}`,
    "advertised.listeners": own,
    "listener.security.protocol.map": `CLIENT:${protocol},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT`,
    "inter.broker.listener.name": "INTERNAL",
    "controller.listener.names": "CONTROLLER",
    "log.dirs": join(directory, "data"),
    // One broker has one copy of each.
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "auto.create.topics.enable": "false",
    // Nobody else joins: the first does not wait for more.
    "group.initial.rebalance.delay.ms": "0",
    ...config,
  };
}
