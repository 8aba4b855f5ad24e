import { parseStartConfig, type Config } from "@/domain/config";
import { loadModules } from "@/engine/module/load";
import { createSupervisor, type Supervisor } from "../supervise";
import { childrenOf } from "./child-environment";
import { ensureBuilt } from "./ensure-built";
import { keepDatabase } from "./keep-database";
import { createLineLog } from "./line-log";
import { ensurePortFree } from "./listen";
import { loadConfig } from "./load-config";
import { onStop } from "./on-stop";
import { environmentOf, openMigrated, type OpenedEnvironment } from "./open-environment";

/** Above the sum of what healthy children need; a child that hangs is killed long before. */
const STACK_STOP_LIMIT_MS = 40_000;

/** All on one machine is for this machine, unless LISTEN_HOST says otherwise. */
const THIS_MACHINE = "127.0.0.1";

export interface Stack {
  readonly config: Config;
  /** Of its database as the owner of the tables. */
  readonly ownerUrl: string;
  readonly supervisor: Supervisor;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Aborted when the whole is being stopped. */
  readonly stopping: AbortSignal;
}

export interface StackOptions {
  /** Name of the command, for its own lines. */
  readonly name: string;
  /** Children's logs go to files in the data directory instead of standard error. */
  readonly logFiles: boolean;
  /** Children whose standard output is for the terminal; all when left out. */
  readonly spokenOf?: readonly string[];
  /** Ends before any process starts; its database is up to date. */
  readonly before?: (stack: Pick<Stack, "config" | "ownerUrl" | "say" | "stopping">) => Promise<void>;
  /** Begins when everything else is up. */
  readonly then?: (stack: Stack) => Promise<void>;
}

/** Database, side processes of the modules, console with API, and worker, as children of this process; runs until it is told to stop. */
export async function runStack(options: StackOptions): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const stopping = new AbortController();
  let environment: OpenedEnvironment | undefined;
  let writeLine: (name: string, line: string) => void = (name, line) =>
    void process.stderr.write(`[${name}] ${line}\n`);
  const supervisor = createSupervisor({
    say,
    onLine: (name, stream, line) => {
      const spoken = stream === "stdout" && (options.spokenOf === undefined || options.spokenOf.includes(name));
      if (spoken) say(line);
      else writeLine(name, line);
    },
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await supervisor.stop();
    await environment?.close();
  };
  onStop(options.name, stop, STACK_STOP_LIMIT_MS);

  try {
    const { port: wanted, listenHost } = parseStartConfig(process.env);
    const host = listenHost ?? THIS_MACHINE;
    await ensurePortFree({ port: wanted, host });
    // The longest of what a first start does, and it needs nothing of the rest.
    const built = ensureBuilt(stopping.signal);
    built.catch(() => undefined);
    const source = await loadConfig();
    environment = await openMigrated(process.env, say);
    const { config, ownerUrl } = environment;
    if (environment.embedded !== undefined) void keepDatabase(environment.embedded, say, stopping.signal);
    const modules = loadModules(source, config);
    const { processes } = modules;
    // Nothing but what they are is needed here: they run in the children.
    await modules.close();
    for (const { port } of processes)
      if (port !== undefined) await ensurePortFree({ port: port.number, host: THIS_MACHINE, variable: port.setting });
    if (options.logFiles) writeLine = createLineLog(`${config.dataDir}/logs`).write;
    stopping.signal.throwIfAborted();
    const stack: Stack = {
      config,
      ownerUrl,
      supervisor,
      env: { ...environmentOf(config), LISTEN_HOST: host },
      say,
      stopping: stopping.signal,
    };
    await Promise.all([built, options.before?.(stack)]);
    for (const child of childrenOf(stack.env, processes)) await supervisor.start(child);
    await options.then?.(stack);
  } catch (error) {
    // Asked to stop while starting: what fails now fails because of that, and the stop ends the process.
    if (stopping.signal.aborted) return;
    await stop();
    throw error;
  }
}
