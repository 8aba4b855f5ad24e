import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ConfigSource } from "@/engine/module/config";
import type { Container } from "@/http/env";

const NAMES = ["ts", "mts", "mjs", "js"].map((ending) => `onceboard.config.${ending}`);

/**
 * What this deployment runs: the default export of the file that ONCEBOARD_CONFIG names, or of `onceboard.config.…` in the
 * working directory.
 *
 * @throws Error in one sentence
 */
export async function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  folder: string = process.cwd(),
): Promise<ConfigSource> {
  const file = configFile(env["ONCEBOARD_CONFIG"], folder);
  const { default: source } = await importFile(file);
  if (isSource(source)) return source;
  throw new Error(
    `${file} has no default export that lists modules: write "export default defineConfig({ modules: [] })".`,
  );
}

async function importFile(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
    throw new Error(
      `Node ${process.versions.node} cannot read the types of ${file}: use Node 22.18, 24 or newer, or write it as .mjs.`,
      { cause: error },
    );
  }
}

function configFile(named: string | undefined, folder: string): string {
  if (named !== undefined && named !== "") {
    const file = resolve(folder, named);
    if (existsSync(file)) return file;
    throw new Error(`ONCEBOARD_CONFIG names ${file}, which does not exist.`);
  }
  const found = NAMES.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(`There is no onceboard.config.ts in ${folder}; ONCEBOARD_CONFIG may name another file.`);
}

function isSource(value: unknown): value is ConfigSource {
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && "modules" in value && Array.isArray(value.modules);
}

/** Makes the operations of this process known to the console. It starts all the same: who asks next tries again. */
export function registerKinds({ engine, log }: Pick<Container, "engine" | "log">): void {
  engine.kinds.register().catch((error: unknown) => {
    log.warn({ err: error }, "the kinds of operations could not be registered");
  });
}
