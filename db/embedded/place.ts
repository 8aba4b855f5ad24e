import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SHARED_DIR, type Binaries } from "./binaries";
import { canEnter, type RunAs } from "./system-user";

const LOCATION_FILE = "postgres.location";
const PASSWORD_FILE = "postgres.password";

/** Nobody else enters; with {@link PASSABLE} only the group of PostgreSQL's system user, to pass through. */
const [PRIVATE, PASSABLE] = [0o700, 0o710] as const;

/**
 * Where the data lies: `${dataDir}/postgres`, or, when the system user cannot enter that (root's closed home directory),
 * a directory under /var/lib/onceboard whose name is kept in `${dataDir}/postgres.location`.
 */
export function dataDirectory(dataDir: string, user: RunAs, log: (line: string) => void): string {
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE });
  const location = join(dataDir, LOCATION_FILE);
  if (existsSync(location)) return join(readFileSync(location, "utf8").trim(), "postgres");
  if (canEnter(dataDir, user)) return join(dataDir, "postgres");
  if (canEnter(join(dataDir, ".."), user)) {
    // Only our own directory is closed: to pass through is enough, and nobody else needs that.
    if (user.gid !== undefined) chownSync(dataDir, statSync(dataDir).uid, user.gid);
    chmodSync(dataDir, PASSABLE);
    return join(dataDir, "postgres");
  }
  const moved = movedDirectory();
  writeFileSync(location, `${moved}\n`, { mode: 0o600 });
  log(`The system user of PostgreSQL cannot enter ${dataDir}, so the data is kept in ${moved}.`);
  return join(moved, "postgres");
}

function movedDirectory(): string {
  mkdirSync(SHARED_DIR, { recursive: true, mode: 0o755 });
  const moved = mkdtempSync(join(SHARED_DIR, "data-"));
  chmodSync(moved, 0o711);
  return moved;
}

/** @returns the superuser's password of an existing data directory, or a new one that is kept when there is none yet. */
export function password(dataDir: string, directory: string): string {
  const file = join(dataDir, PASSWORD_FILE);
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  if (existsSync(directory)) {
    throw new Error(
      `The password of the database in ${directory} is gone: restore ${file}, or remove ${directory} to start empty.`,
    );
  }
  const made = randomBytes(24).toString("hex");
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** @throws Error in one sentence when the data directory is not one that these programs can open. */
export function checkVersion(directory: string, binaries: Binaries): void {
  const file = join(directory, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  if (found === undefined) {
    throw new Error(
      `${directory} is not a PostgreSQL data directory: restore it from a backup, or remove it to start empty.`,
    );
  }
  if (found !== String(binaries.major)) {
    throw new Error(
      `${directory} was made by PostgreSQL ${found} and this is ${binaries.major}: move the data with pg_dump, or set DATABASE_URL.`,
    );
  }
}
