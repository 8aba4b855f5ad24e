import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";

/** The last commit before migration 0023: tables and functions differ, keys and answers are the same contract. */
export const PREVIOUS = "569dd0f1c2c1b6369ecf4abbfc997319500916c0";
/** Two versions and their callers share a machine with whatever else it does. */
const READY_MS = 300_000;
const STOP_MS = 20_000;
const OUTPUT_KEPT = 4_000;

export type VersionEnvironment = Readonly<Record<string, string>>;

/** Sources of one version, and what it starts. */
export interface Version {
  readonly name: string;
  readonly folder: string;
}

export interface Running {
  readonly name: string;
  /** Sends SIGTERM and waits. @returns its exit code */
  stop(): Promise<number | null>;
  kill(): void;
}

/** @returns whether the history here reaches back to a commit */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Lays the sources of a commit into a new folder, with the packages of this one where they are the same, and builds its console. */
export function checkOut(commit: string, folder: string): Version {
  mkdirSync(folder);
  const archive = execFileSync("git", ["archive", commit], { maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  if (samePackages(folder)) linkPackages(folder);
  else execFileSync("npm", ["ci"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const old = { name: "old", folder };
  buildConsole(old);
  return old;
}

/** Each file linked, not the folder: Next builds nothing of packages that are outside of its root. */
function linkPackages(folder: string): void {
  const packages = join(process.cwd(), "node_modules");
  try {
    execFileSync("cp", ["-al", packages, folder], { stdio: "ignore" });
  } catch {
    // On another disk.
    execFileSync("cp", ["-a", packages, folder]);
  }
}

/** Unless its build is of these sources. */
export function buildConsole({ folder }: Version): void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function samePackages(folder: string): boolean {
  const [then, now] = [folder, process.cwd()].map(
    (place) =>
      (JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as { dependencies: VersionEnvironment })
        .dependencies,
  );
  return Object.entries(then ?? {}).every(([name, version]) => now?.[name] === version);
}

const environment = (env: VersionEnvironment): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  NODE_ENV: "production",
  LOG_LEVEL: "warn",
  ...env,
});
const argumentsOf = (entry: string, more: readonly string[]): string[] => ["--import", "tsx", entry, ...more];

/** Runs a command of a version to its end. @returns its output. @throws Error with it when it fails */
export async function runVersion(
  { folder }: Version,
  entry: string,
  env: VersionEnvironment,
  more: readonly string[] = [],
): Promise<string> {
  const child = spawn(process.execPath, argumentsOf(entry, more), {
    cwd: folder,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${entry} ended with ${String(code)}: ${output}`);
  return output;
}

/** Starts a process of a version and waits until it says that it is ready. @throws Error with its output */
export async function startVersion(
  { name, folder }: Version,
  entry: string,
  env: VersionEnvironment,
): Promise<Running> {
  const child = spawn(process.execPath, argumentsOf(entry, []), {
    cwd: folder,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const title = `${name} ${entry}`;
  await ready(title, child);
  return {
    name: title,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const limit = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      const ended = once(child, "close") as Promise<[number | null]>;
      child.kill("SIGTERM");
      const [code] = await ended;
      clearTimeout(limit);
      return code;
    },
  };
}

async function ready(title: string, child: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${title} is not ready: ${output}`));
    }, READY_MS);
    child.once("exit", (code) => {
      clearTimeout(limit);
      reject(new Error(`${title} ended with ${String(code)}: ${output}`));
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-OUTPUT_KEPT);
        if (!/\bready\b| on http/.test(output)) return;
        clearTimeout(limit);
        resolve();
      });
  });
}
