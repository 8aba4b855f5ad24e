import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/partitions";
import { attachDay, makeDay, partitionOf } from "./partitions";
import { SEED_FUNCTIONS } from "./rows";
import type { SeedStatement } from "./statement";

/** Of each transaction of a history: sorts and indexes of a day in memory. */
export const FILL_SETTINGS = [
  "set local synchronous_commit = off",
  "set local work_mem = '128MB'",
  "set local maintenance_work_mem = '256MB'",
  "set local timezone = 'UTC'",
  "set local jit = off",
];

/** @returns the time of the transaction, which has the helpers of a history from now on */
export async function beginFill(tx: Queryable): Promise<Date> {
  for (const text of [...FILL_SETTINGS, ...SEED_FUNCTIONS]) await tx.query({ text });
  const { rows } = await tx.query<{ now: Date }>({ text: "select now() as now" });
  return rows[0]?.now ?? new Date();
}

/** @returns rows that it inserted, for a day into the partition of that day */
export type Put = (statement: SeedStatement, day?: string) => Promise<number>;

/** @param rows counts what is put, by table */
export function putter(tx: Queryable, tenant: string, rows: Map<string, number>): Put {
  return async ({ table, text }, day) => {
    const byDay = day !== undefined && (TABLES_BY_DAY as readonly string[]).includes(table);
    const into = byDay ? partitionOf(table, day) : table;
    const { rowCount } = await tx.query({
      text: text.replace(`insert into onceboard.${table} `, `insert into onceboard.${into} `),
      values: text.includes("$1") ? [tenant] : [],
    });
    rows.set(table, (rows.get(table) ?? 0) + (rowCount ?? 0));
    return rowCount ?? 0;
  };
}

/** What a day is filled with. */
export interface DayFill {
  /** Temporary table that `rows` makes, and everything else of the day is inserted from. */
  readonly table: string;
  readonly rows: string;
  readonly daily: readonly SeedStatement[];
  /** Left out where statements read the table alone. */
  readonly analyze: boolean;
  /** Before the first statement. */
  readonly prepare?: () => Promise<void> | undefined;
}

/** @returns rows of the temporary table, which it leaves */
export async function fillFrom(
  tx: Queryable,
  day: string,
  { table, rows, daily, analyze, prepare }: DayFill,
  put: Put,
): Promise<number> {
  const { rowCount } = await tx.query({ text: rows });
  // Statistics for those that join.
  if (analyze) await tx.query({ text: `analyze ${table}` });
  await prepare?.();
  for (const statement of daily) await put(statement, day);
  return rowCount ?? 0;
}

/** Does `work` while the partitions of a day that are missing stand apart without indexes: they are made at once in the end. */
export async function withDay<T>(tx: Queryable, day: string, work: () => Promise<T>): Promise<T> {
  const made = await makeDay(tx, day);
  const done = await work();
  await attachDay(tx, day, made);
  return done;
}
