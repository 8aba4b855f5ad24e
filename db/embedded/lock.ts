import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { alive } from "./server";

const POLL_MS = 25;
/** Longer than a first start takes on a slow disk. */
const LOCK_TIMEOUT_MS = 90_000;

/** Runs `work` while no other process that uses the same file does. A lock of a process that is gone counts for nothing. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      writeFileSync(file, mark(process.pid), { flag: "wx", mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (!isAlive(read(file))) removeStale(file);
    else if (Date.now() > deadline)
      throw new Error(`Another process holds ${file}: end it, or remove the file if there is none.`);
    else await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Moved aside first and looked at again: between the look and the removal another process may have taken the lock. */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (isAlive(read(aside))) linkSync(aside, file);
  } catch {
    // Another process was faster: the next try tells.
  }
  rmSync(aside, { force: true });
}

/** Writes down that this process uses the server, so that only the last one that leaves stops it. */
export function enter(directory: string): { leave(): void; others(): boolean } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const own = `${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  writeFileSync(join(directory, own), mark(process.pid), { mode: 0o600 });
  return {
    leave: () => rmSync(join(directory, own), { force: true }),
    others() {
      if (!existsSync(directory)) return false;
      let found = false;
      for (const name of readdirSync(directory).filter((entry) => entry !== own)) {
        if (isAlive(read(join(directory, name)))) found = true;
        else rmSync(join(directory, name), { force: true });
      }
      return found;
    },
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Number and, where the system tells it, start time of a process: numbers come round again, in containers soon. */
function mark(pid: number): string {
  return `${pid} ${bornAt(pid)}`;
}

function isAlive(text: string): boolean {
  const pid = Number(text.split(" ")[0]);
  // Empty: just being written, or gone this moment.
  if (text === "") return true;
  return pid > 0 && alive(pid) && text === mark(pid);
}

function bornAt(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
