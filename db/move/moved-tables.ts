import type { Queryable } from "../client";

/** Tables of ours with rows of a tenant that stay where they are, and why. */
export const STAY: Readonly<Record<string, string>> = {
  audit_chain_checks: "what a deployment found when it held its own chain against its own places",
  audit_checkpoints: "signed for the places of this deployment; the other one signs its own from the first entry on",
  operator_grants: "people have accounts for each deployment",
  tenants: "is no table of rows of a tenant; its row is made first",
};

/** Whoever has these is known before the rest is there. */
export const KEYS: readonly string[] = ["api_clients", "api_keys"];

/** One table with its rows of a tenant. */
export interface MovedTable {
  /** Quoted, with its schema. */
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  /** In their order, names quoted; those that PostgreSQL computes are left out. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Columns that are drawn from a sequence, not quoted. */
  readonly drawn: readonly string[];
}

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema, c.relname as "table",
    jsonb_agg(jsonb_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod)) order by a.attname)
      filter (where a.attgenerated = '') as columns,
    coalesce(array_agg(a.attname::text) filter (where pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) is not null), '{}') as drawn
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
  group by n.nspname, c.relname order by 1`;

const REFERENCES = `select distinct format('%I.%I', cn.nspname, c.relname) as "from", format('%I.%I', pn.nspname, p.relname) as "to"
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace cn on cn.oid = c.relnamespace
  join pg_class p on p.oid = k.confrelid join pg_namespace pn on pn.oid = p.relnamespace
  where k.contype = 'f' and k.conrelid <> k.confrelid and cn.nspname = any ($1)`;

/**
 * Tables whose rows of a tenant move with it: those with a column `tenant_id`, in the schema of Onceboard and in the given ones.
 *
 * @param schemas of modules and services
 * @returns in an order in which no row comes before one that it refers to
 */
export async function movedTables(db: Queryable, schemas: readonly string[]): Promise<MovedTable[]> {
  const values = [["onceboard", ...schemas]];
  const { rows } = await db.query<MovedTable>({ text: TABLES, values });
  const { rows: references } = await db.query<{ from: string; to: string }>({ text: REFERENCES, values });
  const tables = rows.filter(({ schema, table }) => schema !== "onceboard" || !(table in STAY));
  return inOrder(tables, references);
}

function inOrder(
  tables: readonly MovedTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): MovedTable[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: MovedTable[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && left.has(to)),
    );
    // A circle of references: in the order of their names, which fails at the first row that needs another.
    for (const table of free.length > 0 ? free : [...left.values()]) {
      ordered.push(table);
      left.delete(table.name);
    }
  }
  return ordered;
}
