import type { FoundColumn, FoundTable } from "../contract/tables";
import type { Foreign } from "../connection";

/** A database may hold as many tables as it likes; so many are looked at. */
export const MAX_TABLES = 2_000;
const MAX_COLUMNS_READ = 40_000;

interface ColumnRow {
  readonly schema: string;
  readonly name: string;
  readonly column: string;
  readonly type: string;
}

/** Tables and views of everybody but PostgreSQL and us, with their columns; what this login may not read is among them. */
export async function readTables(foreign: Foreign): Promise<readonly FoundTable[]> {
  const rows = await foreign.query<ColumnRow>(
    `select n.nspname as schema, c.relname as name, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
       from (select oid, relname, relnamespace from pg_class
              where relkind in ('r', 'p', 'v', 'm') and not relispartition
                and relnamespace not in (select oid from pg_namespace
                                          where nspname in ('pg_catalog', 'information_schema', 'onceboard')
                                             or nspname like 'pg\\_toast%' or nspname like 'onceboard\\_attach%')
              order by oid limit $1) as c
       join pg_namespace as n on n.oid = c.relnamespace
       join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      order by n.nspname, c.relname, a.attnum limit $2`,
    [MAX_TABLES, MAX_COLUMNS_READ],
  );
  const tables = new Map<string, { schema: string; name: string; columns: FoundColumn[] }>();
  for (const { schema, name, column, type } of rows) {
    const key = JSON.stringify([schema, name]);
    const table = tables.get(key) ?? { schema, name, columns: [] };
    table.columns.push({ name: column, type });
    tables.set(key, table);
  }
  return [...tables.values()];
}
