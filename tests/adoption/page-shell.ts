import { endGroup, spawnGroup } from "../shared/process-group";

const READY_LIMIT_MS = 90_000;
const OUTPUT_KEPT = 16_000;

/** Variables of somebody's terminal. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Nothing of this process's environment but what is said. */
export function terminalEnvironment(variables: Variables): NodeJS.ProcessEnv {
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  const { PATH, HOME } = process.env;
  return { ...process.env, ...none, PATH, HOME, ...variables };
}

export interface PageShell {
  /** What it printed so far. */
  output(): string;
  /** Waits until all of these stand in what it printed. @throws Error with its output when it ends before */
  printed(...patterns: readonly RegExp[]): Promise<void>;
  /** Lets commands run in it that wait for a line of input. */
  goOn(): void;
  close(): Promise<void>;
}

/** Pastes commands into a shell that stays, with its processes in one group. */
export function openShell(commands: string, cwd: string, variables: Variables): PageShell {
  // The shell waits for what it has in the background, so that all are one group until the end.
  const child = spawnGroup(`${commands}\nwait`, { cwd, env: terminalEnvironment(variables) });
  let output = "";
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const look of waiting) look();
  };
  let ended = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
      changed();
    });
  child.once("exit", () => {
    ended = true;
    changed();
  });
  return {
    output: () => output,
    printed: (...patterns) =>
      new Promise((resolve, reject) => {
        const done = (settle: () => void): void => {
          clearTimeout(late);
          waiting.delete(look);
          settle();
        };
        const fail = (why: string): void => done(() => reject(new Error(`the commands ${why}: ${output}`)));
        const look = (): void => {
          if (patterns.every((pattern) => pattern.test(output))) done(resolve);
          else if (ended) fail("ended too early");
        };
        const late = setTimeout(() => fail("are not ready in time"), READY_LIMIT_MS);
        waiting.add(look);
        look();
      }),
    goOn: () => void child.stdin?.write("\n"),
    close: () => endGroup(child),
  };
}
