import { join, resolve } from "node:path";

/** The package holds built JavaScript; the repository holds TypeScript, which needs a loader. */
export const BUILT = import.meta.filename.endsWith(".js");

/** The repository, or `dist/` of the package, which has the same folders. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Where package.json of this version lies. */
export const PACKAGE_ROOT = BUILT ? join(ROOT, "..") : ROOT;

/** @param name of a file of ours without its ending: `cli/serve` */
export function ownEntry(name: string): string {
  return join(ROOT, `${name}${BUILT ? ".js" : ".ts"}`);
}

/**
 * @param entry absolute, or from the working directory
 * @returns the arguments by which Node runs it here
 */
export function nodeArguments(entry: string): string[] {
  return [...(BUILT ? [] : ["--import", "tsx"]), resolve(entry)];
}

/** @returns what a person types here to run a command of ours, for sentences that tell them to. */
export function typed(command: string): string {
  if (BUILT) return `npx onceboard ${command}`;
  const [name = "", ...rest] = command.split(" ");
  return ["npm run -s", name, ...(rest.length > 0 ? ["--", ...rest] : [])].join(" ");
}
