import type { TextStatement } from "./text-statement";

/** The `sql` tag of drizzle-orm and of Kysely, as far as a statement needs it. */
export interface SqlTag<Fragment> {
  (strings: TemplateStringsArray, ...values: unknown[]): Fragment;
  raw(text: string): Fragment;
  join(fragments: Fragment[], separator?: Fragment): Fragment;
}

const PARAMETER = /\$(\d+)/;

/** A statement made of the library's own fragments: the text between parameters as it is, each parameter as a bound value. */
export function fragmentOf<Fragment>(sql: SqlTag<Fragment>, { text, values }: TextStatement): Fragment {
  const parts = text.split(PARAMETER).map((part, index) => {
    return index % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1] ?? null}`;
  });
  return sql.join(parts, sql.raw(""));
}
