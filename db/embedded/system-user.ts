import { spawnSync } from "node:child_process";

/** Whom PostgreSQL runs as: itself when we are not root, for it refuses to run as root. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

const SYSTEM_USER = "postgres";

/**
 * @returns the system user postgres when this process is root (made if it is missing), else nothing to change
 * @throws Error in one sentence when there is no such user and none can be made
 */
export function runAs(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const found = lookUp();
  if (found !== undefined) return found;
  for (const command of [
    ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/bin/false", SYSTEM_USER],
    ["adduser", "-S", "-D", "-H", SYSTEM_USER],
  ] as const) {
    const [program, ...args] = command;
    if (spawnSync(program, args, { stdio: "ignore" }).status === 0) break;
  }
  const made = lookUp();
  if (made !== undefined) return made;
  throw new Error(
    `PostgreSQL refuses to run as root and the system user ${SYSTEM_USER} could not be made: run as another user, or set DATABASE_URL.`,
  );
}

function lookUp(): { uid: number; gid: number } | undefined {
  const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, SYSTEM_USER], { encoding: "utf8" }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** @returns true when that user can enter the directory. */
export function canEnter(directory: string, user: RunAs): boolean {
  if (user.uid === undefined) return true;
  return (
    spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], { ...user, cwd: "/", stdio: "ignore" }).status === 0
  );
}
