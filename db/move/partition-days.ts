import type { Queryable } from "../client";
import { TABLES_BY_DAY, type TableByDay } from "../partitions";

interface Day {
  readonly table: TableByDay;
  /** `YYYYMMDD`, UTC. */
  readonly day: string;
}

const DAYS = `select p.relname as "table", right(c.relname, 8) as day
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent join pg_namespace n on n.oid = p.relnamespace
  where n.nspname = 'onceboard' and p.relname = any ($1) and c.relname ~ '_\\d{8}$' order by 1, 2`;

async function partitionDays(db: Queryable): Promise<Day[]> {
  const { rows } = await db.query<Day>({ text: DAYS, values: [[...TABLES_BY_DAY]] });
  return rows;
}

/** Makes the partitions by day that one database has and the other has not, each in a moment of its own. @returns how many */
export async function makeMissingDays(source: Queryable, target: Queryable): Promise<number> {
  const there = new Set((await partitionDays(target)).map(({ table, day }) => `${table}_${day}`));
  const missing = (await partitionDays(source)).filter(({ table, day }) => !there.has(`${table}_${day}`));
  for (const { table, day } of missing) {
    const part = `onceboard.${table}_${day}`;
    await target.query({
      text: `create table if not exists ${part} (like onceboard.${table} including defaults including constraints)`,
    });
    await target.query({
      text: `alter table onceboard.${table} attach partition ${part} for values from ('${day}') to ('${day}'::date + 1)`,
    });
  }
  return missing.length;
}
