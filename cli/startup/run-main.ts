/**
 * Runs a process entry. Whatever stops it at start is said in one sentence; the stack is for those who ask for it.
 *
 * @param main resolves when the process is up, or when a command is done
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${sentence(error)}\n`);
    process.exit(1);
  }
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const verbose = ["debug", "trace"].includes(process.env["LOG_LEVEL"] ?? "");
  return (verbose ? error.stack : undefined) ?? oneLine(error);
}

function oneLine(error: Error): string {
  // A refused connection to several addresses comes as one error without a text of its own.
  const text = error.message || (error instanceof AggregateError ? error.errors.map(String).join("; ") : error.name);
  return text.split("\n")[0] ?? text;
}
