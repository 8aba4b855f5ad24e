import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  findBrokers,
  freePort,
  openBrokerDirectory,
  startProgram,
  untilStopped,
  untilUp,
  type BrokerDirectory,
  type Program,
} from "./broker-process";

/** A real broker of one test file, on a port and in a directory of its own. */
export interface TestBroker {
  readonly url: string;
  readonly port: number;
  /** Ends it as a crash does; what was confirmed is on disk. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data; after `kill` or in its place. */
  restart(): Promise<void>;
  /** Lets it stand still with its connections open, as a machine that hangs does. @returns when it does */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it and removes its files; may be called twice. */
  stop(): Promise<void>;
}

/** The first bytes of AMQP 0-9-1. */
const AMQP_HELLO = Buffer.from([...Buffer.from("AMQP"), 0, 0, 9, 1]);
/** Little enough that a message that is too large is quickly made. */
export const NATS_MAX_PAYLOAD_BYTES = 1_048_576;

/** @param options.config lines of nats-server's configuration, beside what a test always has */
export async function startNats(options: { readonly config?: string } = {}): Promise<TestBroker> {
  const programs = findBrokers();
  const place = openBrokerDirectory("nats");
  const port = await freePort();
  const file = join(place.directory, "nats.conf");
  const config = [
    `listen: "127.0.0.1:${String(port)}"`,
    `jetstream { store_dir: "${join(place.directory, "data")}", max_file_store: 256MB, max_memory_store: 64MB }`,
    `max_payload: ${String(NATS_MAX_PAYLOAD_BYTES)}`,
    options.config ?? "",
  ];
  writeFileSync(file, `${config.join("\n")}\n`);
  const begin = async (): Promise<Program> => {
    const program = startProgram(programs.nats, ["-c", file], { cwd: place.directory });
    place.holds(program.pid);
    await untilUp(program, port);
    return program;
  };
  return runBroker(`nats://127.0.0.1:${String(port)}`, port, place, await begin(), begin);
}

export interface TestRabbitmq extends TestBroker {
  /** Runs rabbitmqctl against it. @throws Error with what it said */
  control(...args: readonly string[]): Promise<void>;
}

/** RabbitMQ with an Erlang port mapper of its own, which ends with it. Takes some seconds: start one for a whole file. */
export async function startRabbitmq(options: { readonly config?: string } = {}): Promise<TestRabbitmq> {
  const programs = findBrokers();
  const place = openBrokerDirectory("rabbitmq");
  const [port, distribution, mapper] = [await freePort(), await freePort(), await freePort()];
  const env = rabbitmqEnv(place.directory, port, distribution, mapper, options.config);
  const cwd = place.directory;
  const epmd = startProgram(programs.epmd, ["-port", String(mapper), "-address", "127.0.0.1"], { cwd });
  place.holds(epmd.pid);
  const begin = async (): Promise<Program> => {
    // With "input" allowed the script becomes the server, instead of waiting for it as its parent.
    const program = startProgram(programs.rabbitmq, ["-noinput"], { cwd, env: { ...env, RABBITMQ_ALLOW_INPUT: "1" } });
    place.holds(epmd.pid, program.pid);
    await untilUp(program, port, AMQP_HELLO);
    return program;
  };
  const url = `amqp://guest:guest@127.0.0.1:${String(port)}`;
  return {
    ...runBroker(url, port, place, await begin(), begin, epmd),
    async control(...args) {
      const command = join(dirname(programs.rabbitmq), "rabbitmqctl");
      const program = startProgram(command, ["--quiet", ...args], { cwd, env });
      await program.ended;
      if (program.code() !== 0) throw new Error(`rabbitmqctl ${args.join(" ")}: ${program.output()}`);
    },
  };
}

function rabbitmqEnv(
  directory: string,
  port: number,
  distribution: number,
  mapper: number,
  config = "",
): Record<string, string | undefined> {
  const at = (name: string): string => join(directory, name);
  for (const name of ["mnesia", "log", "plugins.d"]) mkdirSync(at(name));
  writeFileSync(at("plugins"), "[].\n");
  writeFileSync(at("rabbitmq.conf"), `log.console = true\nlog.console.level = warning\nlog.file = false\n${config}\n`);
  writeFileSync(at("env.conf"), "");
  return {
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    // The Erlang cookie is kept there.
    HOME: directory,
    ERL_EPMD_PORT: String(mapper),
    ERL_EPMD_ADDRESS: "127.0.0.1",
    RABBITMQ_NODENAME: `onceboard${String(port)}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: at("mnesia"),
    RABBITMQ_LOG_BASE: at("log"),
    RABBITMQ_LOGS: "-",
    RABBITMQ_ENABLED_PLUGINS_FILE: at("plugins"),
    RABBITMQ_PLUGINS_EXPAND_DIR: at("plugins.d"),
    RABBITMQ_CONFIG_FILE: at("rabbitmq.conf"),
    RABBITMQ_CONF_ENV_FILE: at("env.conf"),
    RABBITMQ_PID_FILE: at("pid"),
    // One scheduler that does not spin: the machine has other work.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}",
  };
}

/** What every broker of a test can do, from how it begins. */
export function runBroker(
  url: string,
  port: number,
  place: BrokerDirectory,
  first: Program,
  begin: () => Promise<Program>,
  helper?: Program,
): TestBroker {
  let program: Program | undefined = first;
  let removed: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    const gone = program;
    program = undefined;
    gone?.signal("SIGKILL");
    await gone?.ended;
  };
  return {
    url,
    port,
    kill,
    async restart() {
      await kill();
      program = await begin();
    },
    async pause() {
      program?.signal("SIGSTOP");
      if (program !== undefined) await untilStopped(program);
    },
    resume: () => program?.signal("SIGCONT"),
    stop: () =>
      (removed ??= (async () => {
        await kill();
        helper?.signal("SIGKILL");
        await helper?.ended;
        await place.remove();
      })()),
  };
}
