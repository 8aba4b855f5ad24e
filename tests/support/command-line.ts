/**
 * Reads the command line of a campaign; `--help` prints the usage and ends the process with 0.
 *
 * @param read whatever it throws is the sentence that is printed before the usage, and the process ends with 2
 */
export function readCommandLine<T>(usage: string, read: () => T): T {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}

/**
 * @param text the value of an option
 * @throws Error in one sentence when it is no whole number from `least` on
 */
export function wholeNumber(option: string, text: string, least = 1): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isSafeInteger(number) || number < least)
    throw new Error(`--${option} must be a whole number from ${String(least)} on: ${text}`);
  return number;
}

/** Lets an interrupted campaign end through its `exit` listeners, which stop what it started. */
export function exitOnSignals(): void {
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}
