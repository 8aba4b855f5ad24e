import { readFileSync } from "node:fs";
import { createDatabase, type Database } from "@/db/client";

const NANOSECONDS_IN_A_MS = 1_000_000;

/** Processor time so far, ms; NaN where the server's processes cannot be seen (another machine, another system than Linux). */
export interface Worked {
  /** Of the sessions alone: about what a read takes in SQL on a machine that does nothing else and has its rows in memory. */
  readonly sql: number;
  /** Of the sessions and of this process. */
  readonly all: number;
}

export interface SessionTime {
  readonly sofar: () => Promise<Worked>;
  readonly close: () => Promise<void>;
}

/**
 * Processor time of this process and of the sessions of a pool: hardly moved by what else the machine does. Workers of a parallel plan are
 * not in it.
 *
 * @param url of the owner, who sees what the sessions of others are called
 */
export function sessionTime(db: Database, url: string, applicationName: string): SessionTime {
  const owner = createDatabase({ url, max: 1, role: "owner" });
  let pids: readonly number[] = [];
  return {
    async sofar() {
      if (pids.length === 0 || pids.length !== db.pool.totalCount) {
        const { rows } = await owner.pool.query<{ pid: number }>({
          text: "select pid from pg_stat_activity where datname = current_database() and application_name = $1",
          values: [applicationName],
        });
        pids = rows.map(({ pid }) => pid);
      }
      const { user, system } = process.cpuUsage();
      const sql = pids.reduce((total, pid) => total + onProcessor(pid), pids.length === 0 ? Number.NaN : 0);
      return { sql, all: sql + (user + system) / 1_000 };
    },
    close: () => owner.close(),
  };
}

function onProcessor(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${String(pid)}/schedstat`, "utf8").split(" ")[0]) / NANOSECONDS_IN_A_MS;
  } catch {
    return Number.NaN;
  }
}
