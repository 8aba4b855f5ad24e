/** How long a process may take to end its work after it was asked to. */
export const STOP_LIMIT_MS = 10_000;

/**
 * SIGTERM, SIGINT, or the end of the parent that started us: run `stop` once, then exit 0. A stop that takes longer than
 * its limit ends the process anyway.
 *
 * @param name of the process, for the one sentence when it had to be cut off
 */
export function onStop(name: string, stop: () => Promise<void>, limitMs = STOP_LIMIT_MS): void {
  let stopping = false;
  const begin = (): void => {
    if (stopping) return;
    stopping = true;
    const limit = setTimeout(() => {
      process.stderr.write(`${name}: not finished after ${String(limitMs / 1_000)} s, ended anyway\n`);
      process.exit(1);
    }, limitMs);
    limit.unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", begin);
  process.on("SIGINT", begin);
  // Started with an IPC channel, a process ends with its parent instead of keeping its port.
  process.once("disconnect", begin);
}
