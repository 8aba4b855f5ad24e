import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@/db/client";
import { makeCases, type Case } from "../cases";
import { settleDatabase } from "../database";
import { openBenchEnvironment, type BenchHost } from "../environment";
import { load } from "../load";
import type { BenchOptions } from "../options";
import { processorTime, processorTimeOf, type ProcessorTime } from "../processor-time";
import { machineClass } from "../report";
import { costTable, type CostRow } from "./table";

export const COST_CASE = "cost";
/** Of `makeCases`; a replay of the local path costs what the other one does. */
const CASES: readonly string[] = ["local create", "provider create", "replay", "conflict"];
const WARM_UP_MS = 2_000;
/** Events are written behind their answers: everything of a case is there once the log stands still for so long. */
const STILL_MS = 500;
const MOST_WAITS = 40;

interface Spent {
  /** Microseconds of processor time. */
  readonly host: number;
  readonly database: number;
  readonly walBytes: number;
  readonly storedBytes: number;
}

/**
 * What a request costs in processor time of the API process and of the whole database server, in write-ahead log and in storage,
 * and a million of them. Rates are no part of it, so a busy machine moves it little.
 *
 * @throws Error where the processor time of the database cannot be seen: it runs on another machine, or this is not Linux
 */
export async function benchCost(options: BenchOptions): Promise<{ text: string; figures: unknown }> {
  const { connections } = options;
  const place = await openBenchEnvironment(options.port, ["hono"]);
  try {
    const [host] = place.hosts;
    const server = await processorTimeOf(place.url);
    if (host === undefined || server === undefined)
      throw new Error("The processor time of the database cannot be seen from here.");
    const cases = (await makeCases(place)).filter(({ name }) => CASES.includes(name));
    const rows: CostRow[] = [];
    for (const one of cases) {
      const answers = (durationMs: number): Promise<number> => answer(host, one, connections, durationMs);
      const warmUpMs = options.quick ? options.durationMs : WARM_UP_MS;
      await answers(warmUpMs);
      await settleDatabase(place.url);
      // Plans are made anew, and the log has its full pages after the checkpoint.
      await answers(warmUpMs);
      const before = await spentSoFar(place.db, host, server);
      const count = await answers(options.durationMs * options.rounds);
      const after = await spentSoFar(place.db, host, server);
      rows.push(costOf(one.name, count, before, after));
    }
    const head = `Machine: ${machineClass()}; PostgreSQL ${place.version}, synchronous commits.`;
    return { text: `${head}\n\n${costTable(rows)}`, figures: rows };
  } finally {
    await place.close();
  }
}

async function answer({ port, pid }: BenchHost, one: Case, connections: number, durationMs: number): Promise<number> {
  const { expectedStatus } = one;
  const { count } = await load({ port, pid, connections, durationMs, expectedStatus, next: () => one.next() });
  return count;
}

async function spentSoFar(db: Database, host: BenchHost, server: ProcessorTime): Promise<Spent> {
  let walBytes = await walSoFar(db);
  for (let waits = 0; waits < MOST_WAITS; waits += 1) {
    await delay(STILL_MS);
    const now = await walSoFar(db);
    if (now === walBytes) break;
    walBytes = now;
  }
  const { rows } = await db.pool.query<{ bytes: string }>({
    text: "select pg_database_size(current_database())::text as bytes",
  });
  return {
    host: processorTime(host.pid) ?? 0,
    database: server().server,
    walBytes,
    storedBytes: Number(rows[0]?.bytes),
  };
}

async function walSoFar(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ bytes: string }>({
    text: "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as bytes",
  });
  return Number(rows[0]?.bytes);
}

function costOf(name: string, count: number, before: Spent, after: Spent): CostRow {
  const each = (what: keyof Spent): number => (after[what] - before[what]) / count;
  return {
    ...{ case: name, requests: count, hostMicroseconds: each("host"), databaseMicroseconds: each("database") },
    ...{ walBytes: each("walBytes"), storedBytes: each("storedBytes") },
  };
}
