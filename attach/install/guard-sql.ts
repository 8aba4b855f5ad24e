import type { Preset } from "../contract/preset";
import { quoteText, sameName, type FoundTable } from "../contract/tables";

/** A time without zone is read in one that was given: a file that was made for the other kind would show other times. */
const isTime = (type: string): boolean => type.startsWith("timestamp");

/** Stops an installation where the tables are not the ones that its file was made for, with a sentence, before anything is made. */
export function guardSql(preset: Preset, tables: Readonly<Partial<Record<string, FoundTable>>>): string {
  const expected = Object.entries(tables).flatMap(([name, table]) => {
    const spec = preset.tables[name];
    if (table === undefined || spec === undefined) return [];
    const known = new Set([...Object.keys(spec.needs), ...Object.keys(spec.may ?? {})].map(sameName));
    return table.columns
      .filter((column) => known.has(sameName(column.name)))
      .map((column) => {
        const type = isTime(column.type) ? quoteText(column.type.replace(/\(\d\)/, "")) : "null";
        return `      (${quoteText(table.schema)}, ${quoteText(table.name)}, ${quoteText(column.name)}, ${type})`;
      });
  });
  return `do $onceboard$
declare
  wrong text;
begin
  select string_agg(format('%I.%I has %s', expected.schema, expected.name,
           case when found.type is null then 'no column ' || expected.col else expected.col || ' as ' || found.type end), '; ')
    into wrong
    from (values
${expected.join(",\n")}
    ) as expected(schema, name, col, type)
    left join lateral (
      select regexp_replace(format_type(a.atttypid, a.atttypmod), '\\(\\d\\)', '') as type
        from pg_attribute as a
        join pg_class as c on c.oid = a.attrelid
        join pg_namespace as n on n.oid = c.relnamespace
       where n.nspname = expected.schema and c.relname = expected.name and a.attname = expected.col
         and a.attnum > 0 and not a.attisdropped
    ) as found on true
   where found.type is null or (expected.type is not null and found.type <> expected.type);
  if wrong is not null then
    raise exception 'These are not the tables that this file was made for: %.', wrong
      using hint = 'Print it again from the database itself, with --url-variable.';
  end if;
end
$onceboard$;`;
}
