import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * The options of a command line, all of them `--name value`.
 *
 * @param usage one line that shows the command
 * @throws Error in one sentence with the usage
 */
export function readArguments<Needed extends string, Optional extends string>(
  argv: readonly string[],
  usage: string,
  names: { readonly needed: readonly Needed[]; readonly optional: readonly Optional[] },
): Record<Needed, string> & Record<Optional, string | undefined> {
  const options: ParseArgsConfig["options"] = Object.fromEntries(
    [...names.needed, ...names.optional].map((name) => [name, { type: "string" as const }]),
  );
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message.split(". ")[0] : String(error)}. Usage: ${usage}`, {
      cause: error,
    });
  }
  const missing = names.needed.filter((name) => values[name] === undefined || values[name] === "");
  if (missing.length > 0) throw new Error(`${missing.map((name) => `--${name}`).join(", ")} missing. Usage: ${usage}`);
  return values as Record<Needed, string> & Record<Optional, string | undefined>;
}
