import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/partitions";

/** Name of the partition of a day, as `ensure_partitions` gives it. @param day `YYYY-MM-DD` */
export function partitionOf(table: string, day: string): string {
  return `${table}_${day.replaceAll("-", "")}`;
}

/** Makes the tables of a day that are not there, without indexes: they are made at once when it is attached. @returns those it made */
export async function makeDay(q: Queryable, day: string): Promise<readonly string[]> {
  const made: string[] = [];
  for (const table of TABLES_BY_DAY) {
    const part = partitionOf(table, day);
    const { rows } = await q.query<{ missing: boolean }>({
      text: "select to_regclass('onceboard.' || $1) is null as missing",
      values: [part],
    });
    if (rows[0]?.missing !== true) continue;
    await q.query({
      text: `create table onceboard.${part} (like onceboard.${table} including defaults including constraints)`,
    });
    made.push(table);
  }
  return made;
}

export async function attachDay(q: Queryable, day: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await q.query({
      text: `alter table onceboard.${table} attach partition onceboard.${partitionOf(table, day)} for values from ('${day}') to ('${day}'::date + 1)`,
    });
  }
}
