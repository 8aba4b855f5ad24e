import { readFileSync, readdirSync } from "node:fs";
import { createDatabase } from "@/db/client";

/** The kernel counts in ticks of this many microseconds. */
const TICK_MICROSECONDS = 10_000;
const PARENT = 1;
const OWN = [11, 12] as const;
const ENDED_CHILDREN = [13, 14] as const;

/** Microseconds so far. */
export type ProcessorTime = () => { readonly client: number; readonly server: number };

/**
 * Processor time of this process and of the whole database server: hardly moved by what else the machine does, which rates
 * are.
 * @returns undefined where the server's processes cannot be seen (another machine, another system than Linux)
 */
export async function processorTimeOf(server: string): Promise<ProcessorTime | undefined> {
  const db = createDatabase({ url: server, max: 1, role: "owner" });
  try {
    const { rows } = await db.pool.query<{ pid: number; local: boolean }>({
      text: "select pg_backend_pid() as pid, coalesce(inet_client_addr() = inet_server_addr(), true) as local",
    });
    const [backend] = rows;
    if (backend?.local !== true) return undefined;
    const main = fieldsOf(String(backend.pid))?.[PARENT];
    return main === undefined ? undefined : () => ({ client: ownTime(), server: timeOf(main) });
  } finally {
    await db.close();
  }
}

function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @returns microseconds that one process has used, all threads; undefined without /proc */
export function processorTime(pid: number): number | undefined {
  const fields = fieldsOf(String(pid));
  return fields && sum(fields, OWN) * TICK_MICROSECONDS;
}

/** Of a process, its children, and those that have ended. */
function timeOf(main: string): number {
  let ticks = sum(fieldsOf(main), [...OWN, ...ENDED_CHILDREN]);
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const fields = fieldsOf(pid);
    if (fields?.[PARENT] === main) ticks += sum(fields, OWN);
  }
  return ticks * TICK_MICROSECONDS;
}

function sum(fields: readonly string[] | undefined, at: readonly number[]): number {
  return at.reduce((total, index) => total + Number(fields?.[index] ?? 0), 0);
}

/** What follows the name in /proc/<pid>/stat. */
function fieldsOf(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
  } catch {
    // Not Linux, or it has just ended.
    return undefined;
  }
}
