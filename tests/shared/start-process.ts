import { spawn, type ChildProcess } from "node:child_process";

export interface StartOptions {
  readonly env: NodeJS.ProcessEnv;
  /** In the line that says that the process answers. */
  readonly ready: RegExp;
  readonly readyMs: number;
}

const OUTPUT_KEPT = 4_000;

/**
 * Starts a Node process and waits until it says that it answers.
 *
 * @throws Error with its last output when it ends or is not ready in time
 */
export async function startProcess(
  args: readonly string[],
  { env, ready, readyMs }: StartOptions,
  onSpawn: (child: ChildProcess) => void = () => undefined,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  onSpawn(child);
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${args.join(" ")} ${why}: ${output}`));
    const late = setTimeout(() => fail("is not ready in time"), readyMs);
    const listen = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
      if (!ready.test(output)) return;
      clearTimeout(late);
      resolve();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", (code) => {
      clearTimeout(late);
      fail(`ended with ${String(code)}`);
    });
  });
  return child;
}
