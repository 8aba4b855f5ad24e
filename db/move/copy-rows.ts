import type { Queryable } from "../client";
import type { MovedTable } from "./moved-tables";

/** Read and written at once. A row has one body at the most. */
const BATCH_ROWS = 200;

/** Both ends write and read values the same way, whatever their servers are set to. */
export const COPY_SETTINGS = [
  "set local datestyle = 'ISO'",
  "set local intervalstyle = 'postgres'",
  "set local timezone = 'UTC'",
  "set local bytea_output = 'hex'",
  "set local extra_float_digits = 1",
];

/**
 * Copies the rows of a tenant in one table, in the transactions that both are in. Each value goes as the text that PostgreSQL reads again as the same
 * value, so that a JSON null is no missing value.
 *
 * @returns how many
 */
export async function copyRows(
  source: Queryable,
  target: Queryable,
  { name, columns }: MovedTable,
  tenant: string,
): Promise<number> {
  const read = columns.map((column) => `t.${column.name}::text`).join(", ");
  const list = columns.map((column) => column.name).join(", ");
  const values = columns.map(({ type }, at) => `(r.v ->> ${String(at)})::${type}`).join(", ");
  await source.query({
    text: `declare moved_rows no scroll cursor for select to_jsonb(array[${read}])::text as row from ${name} t where t.tenant_id = $1`,
    values: [tenant],
  });
  let copied = 0;
  for (;;) {
    const { rows } = await source.query<{ row: string }>({ text: `fetch ${String(BATCH_ROWS)} from moved_rows` });
    if (rows.length === 0) break;
    const { rowCount } = await target.query({
      text: `insert into ${name} (${list}) overriding system value select ${values} from jsonb_array_elements($1::jsonb) as r(v)`,
      values: [`[${rows.map(({ row }) => row).join(",")}]`],
    });
    copied += rowCount ?? 0;
  }
  await source.query({ text: "close moved_rows" });
  return copied;
}
